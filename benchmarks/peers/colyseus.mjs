// Mexican Train on Colyseus, as its documentation says to write it: public state in a schema that
// everyone follows, each hand in a field that only its seat has in its view, the boneyard in the
// room alone. A patch goes out after every move, not with the next tick of 50 ms. With the path of
// a Redis' socket as argument, the room's whole state is SET there before the patch goes out.

import { Room, Server, matchMaker } from '@colyseus/core';
import { StateView, schema, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { redisOfArguments, serveBenchmark } from './hosting.mjs';
import { MEXICAN, SEATS, dealt, makeMove } from './rules.mjs';

const redis = await redisOfArguments();

const Seat = schema({ hand: t.array('uint8').view(), handSize: t.uint8() }, 'Seat');
const Train = schema({ pips: t.array('uint8') }, 'Train');
const Table = schema(
  {
    seats: t.array(Seat),
    trains: t.array(Train),
    markers: t.array('boolean'),
    boneyardSize: t.uint8(),
    turn: t.uint8(),
    drawn: t.boolean(),
    owes: t.boolean(),
    over: t.boolean(),
  },
  'Table',
);

class MexicanTrainRoom extends Room {
  maxClients = SEATS;
  patchRate = null;
  autoDispose = true;

  messages = {
    move: (client, move) => this.move(client, move),
  };

  onCreate({ permutation }) {
    const { hub, hands, boneyard } = dealt(permutation);
    const table = new Table();
    for (const hand of hands) {
      const seat = new Seat();
      seat.hand.push(...hand);
      seat.handSize = hand.length;
      table.seats.push(seat);
      table.markers.push(false);
    }
    for (let train = 0; train <= MEXICAN; train++) {
      const line = new Train();
      line.pips.push(hub);
      table.trains.push(line);
    }
    table.boneyardSize = boneyard.length;
    table.turn = 0;
    table.drawn = table.owes = table.over = false;
    this.state = table;
    this.boneyard = boneyard;
    this.rules = rulesOver(table, boneyard);
    this.free = [...Array(SEATS).keys()];
  }

  onJoin(client) {
    client.userData = { seat: this.free.shift() };
    client.view = new StateView();
    client.view.add(this.state.seats[client.userData.seat]);
  }

  async move(client, move) {
    const { seat } = client.userData;
    if (!makeMove(this.rules, seat, move)) {
      client.send('refused', move);
      return;
    }
    this.state.seats[seat].handSize = this.state.seats[seat].hand.length;
    this.state.boneyardSize = this.boneyard.length;
    if (redis) {
      const stored = JSON.stringify({ table: this.state, boneyard: this.boneyard });
      await redis.set(`room:${this.roomId}`, stored);
    }
    this.broadcastPatch();
  }
}

/** Let the rules work on the schema's own arrays and fields. */
function rulesOver(table, boneyard) {
  return {
    hands: table.seats.map((seat) => seat.hand),
    trains: table.trains.map((train) => train.pips),
    markers: table.markers,
    boneyard,
    get turn() {
      return table.turn;
    },
    set turn(seat) {
      table.turn = seat;
    },
    get drawn() {
      return table.drawn;
    },
    set drawn(drawn) {
      table.drawn = drawn;
    },
    get owes() {
      return table.owes;
    },
    set owes(owes) {
      table.owes = owes;
    },
    get over() {
      return table.over;
    },
    set over(over) {
      table.over = over;
    },
  };
}

const transport = new WebSocketTransport({ pingInterval: 0 });
const server = new Server({ transport, greet: false, gracefullyShutdown: false });
server.define('mexican-train', MexicanTrainRoom);
await server.listen(0, '127.0.0.1');
serveBenchmark(transport.server.address().port);
