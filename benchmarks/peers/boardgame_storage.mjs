// Stores boardgame.io's matches in Redis, through its interface for storage. One key each for the
// state, the first state, the metadata, and a list for the log; knows nothing of the game.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Async } = require('boardgame.io/internal');

const MATCHES = 'matches';

export class RedisStorage extends Async {
  #redis;

  constructor(redis) {
    super();
    this.#redis = redis;
  }

  async connect() {}

  async createMatch(matchID, { initialState, metadata }) {
    const first = JSON.stringify(initialState);
    await this.#redis
      .multi()
      .sAdd(MATCHES, matchID)
      .mSet([
        [key(matchID, 'initialState'), first],
        [key(matchID, 'state'), first],
        [key(matchID, 'metadata'), JSON.stringify(metadata)],
      ])
      .exec();
  }

  async setState(matchID, state, deltalog) {
    const writes = this.#redis.multi().set(key(matchID, 'state'), JSON.stringify(state));
    if (deltalog?.length) writes.rPush(key(matchID, 'log'), deltalog.map((entry) => JSON.stringify(entry)));
    await writes.exec();
  }

  async setMetadata(matchID, metadata) {
    await this.#redis.set(key(matchID, 'metadata'), JSON.stringify(metadata));
  }

  async fetch(matchID, options) {
    const found = {};
    await Promise.all(
      ['state', 'initialState', 'metadata']
        .filter((field) => options[field])
        .map(async (field) => {
          const text = await this.#redis.get(key(matchID, field));
          if (text !== null) found[field] = JSON.parse(text);
        }),
    );
    if (options.log) {
      const entries = await this.#redis.lRange(key(matchID, 'log'), 0, -1);
      found.log = entries.map((entry) => JSON.parse(entry));
    }
    return found;
  }

  async wipe(matchID) {
    const keys = ['state', 'initialState', 'metadata', 'log'].map((field) => key(matchID, field));
    await this.#redis.multi().del(keys).sRem(MATCHES, matchID).exec();
  }

  async listMatches() {
    return this.#redis.sMembers(MATCHES);
  }
}

function key(matchID, field) {
  return `match:{${matchID}}:${field}`;
}
