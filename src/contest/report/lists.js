'use strict';
// The lists of the report: games and openings, a page at a time.

const DATA = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);

/** An element with a class and children; texts become text, never markup. */
function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// A game is a list, to keep the file small; from here on it has names.
const GAMES = DATA.games.map((row, index) => {
  const [number, pair, round, variant, south, north, opening, result, reason, plies, duration, words, moves] = row;
  return {
    index, number, pair, round, plies, duration, words, moves, variant,
    name: DATA.variants[variant][0],
    columns: DATA.variants[variant][1],
    south: DATA.engines[south],
    north: DATA.engines[north],
    opening: opening === null ? null : DATA.openings[opening],
    result: DATA.results[result],
    reason: DATA.reasons[reason],
  };
});

/** Why a game ended: the rule if there is one. */
function ending(game) {
  return game.words.ending && game.words.ending !== game.reason && game.reason === 'normal'
    ? game.words.ending : game.reason;
}

const FAILURES = new Set(['illegal-move', 'time', 'stall', 'crash', 'protocol-error']);

function isFlawed(game) {
  return FAILURES.has(game.reason) || Boolean(game.words.trouble) || Boolean(game.words.disputes);
}

/** Shows `rows` in pages; returns a function that shows other rows, and turns to the page of one of them. */
function paged(body, pager, pageSize, rowOf) {
  let rows = [];
  let page = 0;
  const button = (label, title, turn) => {
    const element = make('button', '', label);
    element.type = 'button';
    element.setAttribute('aria-label', title);
    element.addEventListener('click', () => { page = turn(); show(); });
    return element;
  };
  const last = () => Math.max(0, Math.ceil(rows.length / pageSize) - 1);
  const buttons = [
    button('«', 'First page', () => 0),
    button('‹', 'Previous page', () => Math.max(0, page - 1)),
    button('›', 'Next page', () => Math.min(last(), page + 1)),
    button('»', 'Last page', () => last()),
  ];
  const status = make('span', 'soft');
  status.setAttribute('role', 'status');
  pager.append(buttons[0], buttons[1], status, buttons[2], buttons[3]);
  function show() {
    page = Math.min(page, last());
    const from = page * pageSize;
    const shown = rows.slice(from, from + pageSize);
    body.replaceChildren(...shown.map(rowOf));
    status.textContent = rows.length === 0 ? 'none'
      : `${(from + 1).toLocaleString('en')}–${(from + shown.length).toLocaleString('en')} of ${rows.length.toLocaleString('en')}`;
    buttons[0].disabled = buttons[1].disabled = page === 0;
    buttons[2].disabled = buttons[3].disabled = page === last();
    pager.classList.toggle('single', last() === 0);
  }
  return (newRows, row) => {
    rows = newRows;
    page = row === undefined ? 0 : Math.max(0, Math.floor(rows.indexOf(row) / pageSize));
    show();
  };
}

/** A head of buttons that sort; `columns` are [text, isNumber, key]. */
function sortableHead(head, columns, sorted) {
  let current = 0;
  let direction = 1;
  const cells = columns.map(([text, isNumber, key], i) => {
    const cell = make('th', isNumber ? 'num' : '');
    cell.scope = 'col';
    if (key) {
      const button = make('button', 'sort', text);
      button.type = 'button';
      button.addEventListener('click', () => {
        direction = current === i ? -direction : 1;
        current = i;
        update();
      });
      cell.append(button);
    } else {
      cell.append(text);
    }
    return cell;
  });
  head.append(make('tr', '', ...cells));
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  function update() {
    cells.forEach((cell, i) => {
      if (i === current) cell.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
      else cell.removeAttribute('aria-sort');
    });
    const key = columns[current][2];
    sorted((rows) => [...rows].sort((a, b) => direction * compare(key(a), key(b))));
  }
  update();
}

/** The name of an engine, cut by the style sheet if it is long. */
function nameOf(engine) {
  const element = make('span', 'name', engine);
  element.title = engine;
  return element;
}

/** A row of a table: cells are texts or elements, the first is its head. */
function tableRow(cells, numbers) {
  return make('tr', '', ...cells.map((cell, i) => {
    const element = make(i === 0 ? 'th' : 'td', numbers[i] ? 'num' : '', cell);
    if (i === 0) element.scope = 'row';
    return element;
  }));
}

// The openings.
if (byId('opening-table')) {
  const games = (o) => o.first[0] + o.first[1] + o.first[2];
  const share = ([wins, draws, losses]) => {
    const n = wins + draws + losses;
    return n === 0 ? -1 : (wins + draws / 2) / n;
  };
  const percent = (counts) => (share(counts) < 0 ? 'n/a' : `${(100 * share(counts)).toFixed(0)} %`);
  const columns = [
    ['Number', true, (o) => o.variant * 1e9 + o.number],
    ['Game', false, (o) => o.variant * 1e9 + o.number],
    ['Position', false, (o) => o.text],
    ['Games', true, games],
    ['First mover', true, (o) => share(o.first)],
    ['scored', true, (o) => share(o.first)],
    [DATA.engines[0] || '', true, (o) => share(o.engine)],
    ['scored', true, (o) => share(o.engine)],
  ];
  const show = paged(byId('opening-table').tBodies[0], byId('opening-pager'), 50, (o) => {
    const brief = o.text.replace(`${DATA.variants[o.variant][0]} `, '');
    const text = make('details', 'opening-text', make('summary', '', make('code', '', brief)), make('code', 'whole', o.text));
    text.title = o.text;
    return tableRow(
      [String(o.number), DATA.variants[o.variant][0], text, String(games(o)), o.first.join('–'), percent(o.first),
        o.engine.join('–'), percent(o.engine)],
      columns.map((column) => column[1]),
    );
  });
  sortableHead(byId('opening-table').tHead, columns, (sort) => show(sort(DATA.openings)));
}

// The games.
let listed = GAMES;
let markGame = () => {};
if (byId('game-table')) {
  const fill = (select, all, names) => {
    select.append(new Option(all, ''), ...names.map((name) => new Option(name, name)));
  };
  const used = (key) => [...new Set(GAMES.flatMap(key))].sort();
  const filters = { variant: byId('by-variant'), engine: byId('by-engine'), result: byId('by-result'), reason: byId('by-reason') };
  fill(filters.variant, 'all', used((g) => [g.name]));
  fill(filters.engine, 'all', used((g) => [g.south, g.north]));
  fill(filters.result, 'all', used((g) => [g.result]));
  filters.result.append(new Option('won by the engine', 'won'), new Option('lost by the engine', 'lost'));
  fill(filters.reason, 'all', used((g) => [g.reason, ending(g)]));
  filters.reason.append(new Option('any failure or dispute', 'flawed'));

  let current = null;
  let sorting = (rows) => rows;
  const columns = [
    ['Game', true, (g) => g.number],
    ['Type', false, (g) => g.name],
    ['South', false, (g) => g.south],
    ['North', false, (g) => g.north],
    ['Result', false, (g) => g.result],
    ['Ended by', false, ending],
    ['Plies', true, (g) => g.plies],
    ['Opening', true, (g) => (g.opening ? g.opening.number : 0)],
    ['Pair', true, (g) => g.pair],
    ['Seconds', true, (g) => g.duration],
  ];
  const show = paged(byId('game-table').tBodies[0], byId('game-pager'), 20, (game) => {
    const link = make('a', '', String(game.number));
    link.href = `#game=${game.number}`;
    const flaw = isFlawed(game) ? make('span', 'flaw', `⚠ ${ending(game)}`) : ending(game);
    const row = tableRow(
      [link, game.name, nameOf(game.south), nameOf(game.north), game.result, flaw, String(game.plies),
        game.opening ? String(game.opening.number) : '', String(game.pair), (game.duration / 1000).toFixed(1)],
      columns.map((column) => column[1]),
    );
    row.classList.add('game-row');
    if (!game.moves) { row.classList.add('without'); row.title = 'Its moves are not on this page.'; }
    if (game === current) {
      row.classList.add('current');
      link.setAttribute('aria-current', 'true');
    }
    row.addEventListener('click', (event) => {
      if (!event.target.closest('a') && String(window.getSelection()) === '') link.click();
    });
    return row;
  });

  const matches = (game) => {
    const engine = filters.engine.value;
    const result = filters.result.value;
    const won = game.result === '1-0' ? game.south : game.result === '0-1' ? game.north : null;
    const lost = game.result === '1-0' ? game.north : game.result === '0-1' ? game.south : null;
    const byEngine = (name) => name !== null && (engine === '' || name === engine);
    const reason = filters.reason.value;
    const number = byId('by-number').value.trim();
    return (filters.variant.value === '' || game.name === filters.variant.value)
      && (engine === '' || game.south === engine || game.north === engine)
      && (result === '' || game.result === result || (result === 'won' && byEngine(won)) || (result === 'lost' && byEngine(lost)))
      && (reason === '' || game.reason === reason || ending(game) === reason || (reason === 'flawed' && isFlawed(game)))
      && (number === '' || String(game.number).startsWith(number));
  };
  const refresh = () => {
    listed = sorting(GAMES.filter(matches));
    show(listed, listed.includes(current) ? current : undefined);
  };
  byId('filters').addEventListener('input', refresh);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  sortableHead(byId('game-table').tHead, columns, (sort) => { sorting = sort; refresh(); });
  markGame = (game) => {
    current = game;
    if (listed.includes(game)) show(listed, game);
  };
}

// Boxes that scroll sideways can be reached by the keyboard where they do scroll.
const scrollBoxes = () => {
  for (const box of document.querySelectorAll('.scroll')) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
};
window.addEventListener('resize', scrollBoxes);
scrollBoxes();
