// The board: every game, move by move. It knows no rules; positions come with the page, as the changes of each move.

const SVG = 'http://www.w3.org/2000/svg';
function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** A game with its positions: opened when it is looked at. */
function opened(game) {
  const base = game.opening && game.opening.base;
  const value = (c) => DATA.digits.indexOf(c);
  const list = (text, separator) => (text ? text.split(separator) : []);
  const told = game.moves || {};
  const positions = base ? [[...base[0]].map(value)] : [];
  const moves = base ? list(told.moves, ' ') : [];
  const changes = told.changes === undefined ? [] : told.changes.split(',');
  moves.forEach((_, i) => {
    const next = [...positions[i]];
    for (let k = 0; k < changes[i].length; k += 2) next[value(changes[i][k])] = value(changes[i][k + 1]);
    positions.push(next);
  });
  return {
    game, positions, moves,
    firstSide: base ? base[1] : 0,
    before: base ? base[2] : 0,
    times: list(told.times, ','), scores: list(told.scores, ','), depths: list(told.depths, ','), nodes: list(told.nodes, ','),
  };
}

let view = null;
let ply = 0;
let timer = null;

const SIDES = ['South', 'North'];
const moverOf = (p) => (view.firstSide + p + 1) % 2;
const sideToMove = (p) => (view.firstSide + p) % 2;

/** The owner of a slot: the upper half of the board is North's. */
const ownerOf = (slot, columns) => (slot < 2 * columns ? 1 : 0);

/** The name of a slot; North counts from the right of the page. */
function pitName(slot, columns) {
  const row = Math.floor(slot / columns);
  const column = slot % columns;
  return 'baAB'[row] + (row < 2 ? columns - column : column + 1);
}

function slotOf(name, columns) {
  const row = 'baAB'.indexOf(name[0]);
  const number = parseInt(name.slice(1), 10);
  return row * columns + (row < 2 ? columns - number : number - 1);
}

/** A score as people read it: pawns, or moves to a proved end; from the mover's viewpoint. */
function scoreText(score) {
  if (!score) return '';
  if (score[0] === '#') return score.replace('-', '−');
  const pawns = Number(score) / 100;
  return (pawns > 0 ? '+' : pawns < 0 ? '−' : '') + Math.abs(pawns).toFixed(2);
}

/** South's chances in 0..1 by a score of the mover of ply p. */
function southChances(p) {
  const score = view.scores[p - 1];
  if (!score) return null;
  const cp = score[0] === '#' ? (score[1] === '-' ? -1e4 : 1e4) : Number(score);
  const chances = 1 / (1 + Math.pow(10, -cp / 400));
  return moverOf(p) === 0 ? chances : 1 - chances;
}

/** What the last move did to each pit: its own pit, those of the mover that changed, those of the opponent that lost. */
function effects(p) {
  const found = new Map();
  if (p === 0) return found;
  const { columns } = view.game;
  const [before, after] = [view.positions[p - 1], view.positions[p]];
  for (let slot = 0; slot < 4 * columns; slot += 1) {
    const change = after[slot] - before[slot];
    if (change !== 0) found.set(slot, { kind: ownerOf(slot, columns) === moverOf(p) ? 'sown' : 'taken', change });
  }
  const origin = slotOf(view.moves[p - 1].match(/^[ABab][0-9]+/)[0], columns);
  found.set(origin, { kind: 'origin', change: after[origin] - before[origin] });
  return found;
}

const withSign = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0');

function seeds(count) {
  const svg = shape('svg', { viewBox: '-20 -20 40 40', 'aria-hidden': 'true', class: 'seeds' });
  const step = Math.min(5.4, 15 / Math.sqrt(Math.max(count, 1)));
  const radius = Math.min(3.3, step * 0.64);
  for (let i = 0; i < count; i += 1) {
    const distance = count === 1 ? 0 : step * Math.sqrt(i + 0.4);
    const angle = i * 2.39996;
    svg.append(shape('circle', { cx: (distance * Math.cos(angle)).toFixed(2), cy: (distance * Math.sin(angle)).toFixed(2), r: radius.toFixed(2) }));
  }
  return svg;
}

function pit(slot, position, effect) {
  const { columns } = view.game;
  const owner = ownerOf(slot, columns);
  const name = pitName(slot, columns);
  const element = make('div', 'pit', seeds(position[slot]), make('span', 'count', String(position[slot])));
  element.dataset.pit = name;
  element.title = `${name}: ${position[slot]}`;
  if (position[slot] === 0) element.classList.add('empty');
  if (columns === 8) {
    if (name.toLowerCase() === 'a5') {
      const owned = position[34] & (owner === 0 ? 1 : 2);
      element.classList.add('house', owned ? 'owned' : 'lost');
      element.title += owned ? ', house' : ', house no longer owned';
    }
    if (position[35] === slot + 1) {
      element.classList.add('blocked');
      const bar = shape('svg', { viewBox: '-20 -20 40 40', 'aria-hidden': 'true', class: 'block' });
      bar.append(shape('circle', { r: 13 }), shape('path', { d: 'M-9-9 9 9' }));
      element.append(bar);
      element.title += ', takasiaed';
    }
  }
  if (effect) {
    element.classList.add(effect.kind);
    element.append(make('span', 'badge', withSign(effect.change)));
  }
  return element;
}

function drawBoard() {
  const board = byId('board');
  const { columns } = view.game;
  const position = view.positions[ply];
  board.className = `board columns-${columns}`;
  const labels = (letterOrder, className) => {
    const row = make('div', `names ${className}`);
    for (let i = 0; i < columns; i += 1) row.append(make('span', '', String(letterOrder < 2 ? columns - i : i + 1)));
    return row;
  };
  const marked = effects(ply);
  const rows = [0, 1, 2, 3].map((row) => {
    const element = make('div', 'row', make('span', 'letter', 'baAB'[row]));
    for (let i = 0; i < columns; i += 1) {
      const slot = row * columns + i;
      element.append(pit(slot, position, marked.get(slot)));
    }
    element.append(make('span', 'letter', 'baAB'[row]));
    return element;
  });
  board.replaceChildren(labels(0, 'top'), rows[0], rows[1], make('div', 'middle'), rows[2], rows[3], labels(3, 'bottom'));
  const text = (row) => position.slice(row * columns, (row + 1) * columns).join(' ');
  board.setAttribute('aria-label', `Board, from North's back row to South's, left to right: ${[0, 1, 2, 3].map(text).join('; ')}`);
}

function drawPlayer(side) {
  const { game } = view;
  const { columns } = game;
  const position = view.positions[ply];
  const half = position.slice(side === 1 ? 0 : 2 * columns, side === 1 ? 2 * columns : 4 * columns);
  const onBoard = half.reduce((sum, n) => sum + n, 0);
  const turn = make('span', sideToMove(ply) === side && !isOver() ? 'turn on' : 'turn');
  const facts = [`${onBoard} on the board`];
  const box = byId(side === 0 ? 'south' : 'north');
  const parts = [turn, make('b', '', side === 0 ? game.south : game.north), make('span', 'soft', SIDES[side])];
  if (columns === 8) {
    const reserve = position[32 + side];
    const change = ply > 0 ? reserve - view.positions[ply - 1][32 + side] : 0;
    facts.push(`${reserve} in reserve${change ? ` (${withSign(change)})` : ''}`);
    facts.push(position[34] & (side === 0 ? 1 : 2) ? 'owns the house' : 'house gone');
    if (position[35] > 0 && ownerOf(position[35] - 1, columns) === side) facts.push(`${pitName(position[35] - 1, columns)} takasiaed`);
  }
  box.replaceChildren(...parts, make('span', 'facts', facts.join(' · ')));
}

const isOver = () => ply === view.moves.length && view.moves.length > 0;

function moveText() {
  const { game } = view;
  if (ply === 0) return `Opening, ${SIDES[sideToMove(0)]} to move.`;
  const side = moverOf(ply);
  const parts = [`Ply ${view.before + ply}: ${SIDES[side]} played ${view.moves[ply - 1]}`];
  const taken = [...effects(ply)].filter(([, effect]) => effect.kind === 'taken');
  if (taken.length > 0) {
    const names = taken.map(([slot, effect]) => `${-effect.change} from ${pitName(slot, game.columns)}`);
    parts.push(`captured ${names.join(', ')}`);
  }
  const score = view.scores[ply - 1];
  if (score) parts.push(`score ${scoreText(score)}`);
  if (view.depths[ply - 1]) parts.push(`depth ${view.depths[ply - 1]}`);
  if (view.nodes[ply - 1]) parts.push(`${Number(view.nodes[ply - 1]).toLocaleString('en')} nodes`);
  if (view.times[ply - 1]) parts.push(`${(Number(view.times[ply - 1]) / 1000).toFixed(1)} ms`);
  if (isOver()) parts.push(`end: ${game.result}, ${ending(game)}`);
  return `${parts.join(' · ')}.`;
}

function drawMoves() {
  const box = byId('moves');
  const cells = [];
  const first = view.firstSide;
  view.moves.forEach((text, i) => {
    const side = (first + i) % 2;
    if (i === 0 || side === 0) cells.push(make('span', 'number', `${Math.floor((view.before + i) / 2) + 1}.`));
    if (i === 0 && side === 1) cells.push(make('span', 'number gap', '…'));
    const button = make('button', 'move', text, make('small', '', scoreText(view.scores[i])));
    button.type = 'button';
    button.dataset.ply = String(i + 1);
    cells.push(button);
  });
  if (cells.length === 0) cells.push(make('p', 'soft wide', view.game.words.trouble ? 'Its moves cannot be played.'
    : view.game.moves ? 'No move was played.' : 'Its moves are not on this page.'));
  else cells.push(make('p', 'wide result', `${view.game.result}, ${ending(view.game)}`));
  box.replaceChildren(...cells);
  box.scrollTop = 0;
}

function markMove() {
  const box = byId('moves');
  for (const old of box.querySelectorAll('[aria-current]')) old.removeAttribute('aria-current');
  const button = box.querySelector(`[data-ply="${ply}"]`);
  if (!button) { box.scrollTop = 0; return; }
  button.setAttribute('aria-current', 'true');
  // The box scrolls, never the page.
  const [inner, outer] = [button.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 2;
}

function drawCurve() {
  const svg = byId('curve');
  const count = view.moves.length;
  const x = (p) => (count > 1 ? (300 * (p - 1)) / (count - 1) : 150);
  const lines = [0, 1].map((side) => {
    const points = [];
    for (let p = 1; p <= count; p += 1) {
      const chances = moverOf(p) === side ? southChances(p) : null;
      if (chances !== null) points.push(`${x(p).toFixed(1)},${(98 - 96 * chances).toFixed(1)}`);
    }
    return points;
  });
  byId('graph').hidden = lines[0].length + lines[1].length === 0;
  byId('curve-south').textContent = view.game.south;
  byId('curve-north').textContent = view.game.north;
  svg.replaceChildren(
    shape('line', { x1: 0, x2: 300, y1: 50, y2: 50, class: 'even' }),
    shape('polyline', { points: lines[0].join(' '), class: 'line' }),
    shape('polyline', { points: lines[1].join(' '), class: 'line dashed' }),
    shape('line', { x1: 0, x2: 0, y1: 0, y2: 100, class: 'now', id: 'now' }),
  );
}

function go(to) {
  ply = Math.max(0, Math.min(view.moves.length, to));
  if (view.positions.length > 0) {
    drawBoard();
    drawPlayer(1);
    drawPlayer(0);
  }
  byId('move-text').textContent = view.positions.length > 0 ? moveText() : 'The opening cannot be read.';
  byId('slider').value = String(ply);
  byId('slider').setAttribute('aria-valuetext', ply === 0 ? 'Opening' : `Move ${ply}: ${view.moves[ply - 1]}`);
  byId('first').disabled = byId('back').disabled = ply === 0;
  byId('last').disabled = byId('forward').disabled = byId('play').disabled = ply === view.moves.length;
  markMove();
  const now = byId('now');
  if (now) {
    const at = view.moves.length > 1 ? (300 * (ply - 1)) / (view.moves.length - 1) : 150;
    now.setAttribute('x1', String(at));
    now.setAttribute('x2', String(at));
    now.classList.toggle('off', ply === 0);
  }
  if (ply === view.moves.length) stop();
}

function remember() {
  try {
    history.replaceState(null, '', `#game=${view.game.number}&ply=${ply}`);
  } catch {
    // A page without an address of its own goes without.
  }
}

function step(to) {
  go(to);
  remember();
}

function open(game, to) {
  stop();
  view = opened(game);
  byId('game-title').textContent = `Game ${game.number}: ${game.name}`;
  const opening = game.opening ? `opening ${game.opening.number}` : 'no opening';
  byId('game-result').replaceChildren(
    make('b', '', game.south), ' (South) – ', make('b', '', game.north), ` (North) `, make('b', 'score', game.result),
    make('span', 'soft', ` ${ending(game)} · round ${game.round}, ${opening}, pair ${game.pair} · ${game.plies} plies in ${(game.duration / 1000).toFixed(1)} s · begun ${game.words.started} · seed ${game.words.seed}`),
  );
  const notes = [];
  if (game.words.detail) notes.push(`${game.reason}: ${game.words.detail}`);
  if (game.words.late) notes.push(`The runner itself was ${game.words.late} ms late in that move.`);
  for (const dispute of game.words.disputes || []) notes.push(`Dispute: ${dispute}`);
  if (game.words.trouble) notes.push(`Damaged record: ${game.words.trouble}`);
  if (!game.moves) notes.push('The moves of this game are not on this page, which has no room for all.');
  byId('game-notes').replaceChildren(...notes.map((note) => make('li', '', note)));
  byId('game-notes').hidden = notes.length === 0;
  byId('legend-house').hidden = game.columns !== 8;
  byId('slider').max = String(view.moves.length);
  if (view.positions.length === 0) for (const id of ['board', 'north', 'south']) byId(id).replaceChildren();
  drawMoves();
  drawCurve();
  markGame(game);
  go(to);
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId('play').setAttribute('aria-pressed', 'false');
}

function togglePlay() {
  if (timer !== null) { stop(); return; }
  if (ply === view.moves.length) return;
  timer = setInterval(() => step(ply + 1), 800);
  byId('play').setAttribute('aria-pressed', 'true');
  step(ply + 1);
}

function turnTo(offset) {
  const here = listed.indexOf(view.game);
  const next = listed[here < 0 ? 0 : here + offset];
  if (next) { open(next, 0); remember(); }
}

/** Opens what the address names; says whether it names a game. */
function followAddress() {
  const match = /^#game=([0-9]+)(?:&ply=([0-9]+))?$/.exec(location.hash);
  const game = match && GAMES.find((g) => g.number === Number(match[1]));
  if (!game) return false;
  if (!view || view.game !== game || ply !== Number(match[2] || 0)) open(game, Number(match[2] || 0));
  byId('viewer').focus({ preventScroll: true });
  byId('viewer').scrollIntoView();
  return true;
}

const KEYS = {
  ArrowLeft: () => step(ply - 1), ArrowRight: () => step(ply + 1), Home: () => step(0), End: () => step(view.moves.length),
  ' ': togglePlay, n: () => turnTo(1), p: () => turnTo(-1),
};

/** Whether keys are meant for the board: it has the focus, or nothing has and the board is what is seen. */
function boardHasKeys(target) {
  if (target.closest('input, select, textarea')) return false;
  if (byId('viewer').contains(target)) return true;
  const box = byId('board').getBoundingClientRect();
  return target === document.body && box.top >= 0 && box.bottom <= window.innerHeight;
}

if (byId('viewer') && GAMES.length > 0) {
  document.addEventListener('keydown', (event) => {
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const modified = event.ctrlKey || event.altKey || event.metaKey || event.shiftKey;
    const presses = event.key === ' ' && event.target.closest('button, a, summary');
    if (!action || modified || presses || !boardHasKeys(event.target)) return;
    event.preventDefault();
    if (event.key !== ' ') stop();
    action();
  });
  const click = (id, action) => byId(id).addEventListener('click', action);
  click('first', () => step(0));
  click('back', () => { stop(); step(ply - 1); });
  click('forward', () => { stop(); step(ply + 1); });
  click('last', () => step(view.moves.length));
  click('play', togglePlay);
  click('previous-game', () => turnTo(-1));
  click('next-game', () => turnTo(1));
  byId('slider').addEventListener('input', () => { stop(); step(Number(byId('slider').value)); });
  byId('moves').addEventListener('click', (event) => {
    const button = event.target.closest('[data-ply]');
    if (button) { stop(); step(Number(button.dataset.ply)); }
  });
  byId('curve').addEventListener('click', (event) => {
    const box = byId('curve').getBoundingClientRect();
    stop();
    step(1 + Math.round(((event.clientX - box.left) / box.width) * (view.moves.length - 1)));
  });
  window.addEventListener('hashchange', followAddress);
  if (!followAddress()) open(GAMES.find((game) => game.moves) || GAMES[0], 0);
}
