// The game that all peers play: one round of Mexican Train, double-12, four seats. It is the preset
// `modern` with the options in `game.py`, which a test holds to the engine move by move. Works on
// any table of array-likes, so that each framework keeps the state in its own kind of value; knows
// none of them.

export const SEATS = 4;
export const MEXICAN = 4;
const HAND_SIZE = 15;
const HIGHEST_PIP = 12;

const HIGH = [];
const LOW = [];
for (let high = 0; high <= HIGHEST_PIP; high++) {
  for (let low = 0; low <= high; low++) {
    HIGH.push(high);
    LOW.push(low);
  }
}
const HUB = HIGH.length - 1; // the double of the highest pip is the last tile

/** Return hands and boneyard of a deal: seats take runs of the permutation, the hub passed over. */
export function dealt(permutation) {
  const tiles = permutation.filter((tile) => tile !== HUB);
  const hands = [];
  for (let seat = 0; seat < SEATS; seat++) {
    hands.push(tiles.slice(seat * HAND_SIZE, (seat + 1) * HAND_SIZE));
  }
  return { hub: HIGHEST_PIP, hands, boneyard: tiles.slice(SEATS * HAND_SIZE) };
}

/**
 * What a table has:
 *   hands[seat]    tiles, by number           boneyard   tiles, drawn from the front
 *   trains[train]  pips; the first is the hub's, the last its open end; train 4 is the Mexican
 *   markers[seat]  whether its train is open to all
 *   turn           the seat to move           drawn      it has drawn and not played since
 *   owes           it has laid a double and owes a tile
 *   over           the round has ended
 */
export function legalMoves(table) {
  if (table.over) return [];
  const plays = legalPlays(table);
  if (plays.length) return plays;
  return [{ kind: table.boneyard.length && !table.drawn ? 'draw' : 'pass' }];
}

/** Make a move of a seat; return whether it was legal. Nothing changes if it was not. */
export function makeMove(table, seat, move) {
  if (table.over || seat !== table.turn) return false;
  switch (move.kind) {
    case 'play':
      return lay(table, move);
    case 'draw':
      return draw(table);
    case 'pass':
      return pass(table);
    default:
      return false;
  }
}

function lay(table, { tile, train }) {
  const hand = table.hands[table.turn];
  const at = hand.indexOf(tile);
  if (at < 0 || !isOpen(table, train) || !fits(table, tile, train)) return false;
  hand.splice(at, 1);
  table.trains[train].push(HIGH[tile] + LOW[tile] - endOf(table, train));
  if (train === table.turn) table.markers[train] = false;
  table.drawn = false;
  table.owes = HIGH[tile] === LOW[tile] && hand.length > 0;
  if (!table.owes) endTurn(table);
  return true;
}

function draw(table) {
  if (table.drawn || !table.boneyard.length || canPlay(table)) return false;
  table.hands[table.turn].push(table.boneyard.shift());
  table.drawn = true;
  return true;
}

function pass(table) {
  if (canPlay(table) || (table.boneyard.length && !table.drawn)) return false;
  table.markers[table.turn] = true;
  endTurn(table);
  return true;
}

function endTurn(table) {
  table.over = !table.hands[table.turn].length || isBlocked(table);
  if (table.over) return;
  table.turn = (table.turn + 1) % SEATS;
  table.drawn = false;
  table.owes = false;
}

function isBlocked(table) {
  if (table.boneyard.length) return false;
  for (let seat = 0; seat < SEATS; seat++) {
    for (const tile of table.hands[seat]) {
      for (let train = 0; train <= MEXICAN; train++) if (fits(table, tile, train)) return false;
    }
  }
  return true;
}

function legalPlays(table) {
  const plays = [];
  for (let train = 0; train <= MEXICAN; train++) {
    if (!isOpen(table, train)) continue;
    for (const tile of table.hands[table.turn]) {
      if (fits(table, tile, train)) plays.push({ kind: 'play', tile, train });
    }
  }
  return plays;
}

function canPlay(table) {
  for (let train = 0; train <= MEXICAN; train++) {
    if (!isOpen(table, train)) continue;
    for (const tile of table.hands[table.turn]) if (fits(table, tile, train)) return true;
  }
  return false;
}

function isOpen(table, train) {
  return train === MEXICAN || train === table.turn || table.markers[train] === true;
}

function fits(table, tile, train) {
  const end = endOf(table, train);
  return HIGH[tile] === end || LOW[tile] === end;
}

function endOf(table, train) {
  const pips = table.trains[train];
  return pips[pips.length - 1];
}
