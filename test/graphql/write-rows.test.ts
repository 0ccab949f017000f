import { afterEach, describe, expect, test, vi } from 'vitest';
import { OUT } from '../../src/core/json-text.ts';
import { WireRow, WireShape } from '../../src/database/wire/wire-row.ts';
import { randomFrom } from '../support/random-documents.ts';
import { executed, randomPart, randomRows, written } from '../support/written-rows.ts';

const FLAT = 'id other name note count number at color uid otherUid';
const PART = 'id other name note count number flag at color uid otherUid';
/** Selections of fields that are copied alone, that are resolved alone, and of both among each other. */
const SELECTIONS: readonly string[] = [
  'id',
  'uid',
  'otherUid',
  'name otherUid a: uid note b: otherUid id label uid',
  'name note',
  'note name',
  '__typename',
  'a: __typename id b: __typename name c: __typename',
  'id other name note count number flag at ended color',
  'color ended at flag number count note name other id',
  'label',
  'name label note',
  'later',
  'id later name later2: later note',
  'name a: name aVeryLongAliasOfTheSame_0123456789: name _: name',
  'constructor: name __proto__: note then: id toJSON: count hasOwnProperty: later',
  'one { name }',
  'one { __typename } must { __typename } many { __typename }',
  `one { ${PART} } must { ${PART} } many { ${PART} } some { ${PART} }`,
  `one { ${PART} one { ${PART} many { name } } many { ${PART} one { name } } }`,
  'a: one { name } b: one { note id } many { __proto__: name id } c: many { flag }',
  'one { name } one { note one { name } } one { one { note } }',
  'self { id self { name later self { one { name } many { id note } } } } name',
  'self { name } note self { note } many { name at }',
  '... { name ...F } ...F ... on Row { note }',
  `flat { ${FLAT} } flats { ${FLAT} }`,
  'flats { __typename } a: flat { note b: note } name flat { color at id }',
  'flat { name label } flats { label } c: flats { number }',
  'many { name } label some { at } later must { id }',
];
const FRAGMENT = 'fragment F on Row { id one { ...G } name } fragment G on Part { name ... on Part { id } }';
const documentOf = (selection: string): string =>
  `{ rows { ${selection} } maybe { ${selection} } row { ${selection} } must { ${selection} } } ${selection.includes('...F') ? FRAGMENT : ''}`;

const rootOf = (rows: readonly unknown[], others: readonly unknown[]) => ({
  rows,
  // Those of two statements beside each other, and nothing.
  maybe: [null, ...rows.slice(0, 3), ...others, ...rows.slice(3, 4)],
  row: others[0] ?? null,
  must: rows[0] ?? others[0],
});

async function differences(counts: readonly number[]): Promise<readonly unknown[]> {
  const random = randomFrom(counts.length);
  const found: unknown[] = [];
  for (const count of counts) {
    const [rows, others] = [randomRows(random, count), randomRows(random, 2)];
    const [wire, objects] = [rootOf(rows.wire, others.wire), rootOf(rows.objects, others.objects)];
    for (const selection of SELECTIONS) {
      const expected = await executed(documentOf(selection), objects);
      const text = await written(documentOf(selection), wire).catch((error: unknown) => error);
      if (expected === undefined || text !== expected) found.push({ selection, expected, text });
    }
  }
  return found;
}

afterEach(({ expect: expectHere }) => {
  vi.restoreAllMocks();
  expectHere(OUT.length).toBe(0);
});

test.each([0, 1, 16, 17, 100])('lists of %i rows are what the executor gives', async (count) => {
  expect((await differences([count, count])).slice(0, 3)).toEqual([]);
});

/** One after the other, of each in turn. */
const mixed = (list: readonly unknown[]): unknown[] => list.map((_, index) => list[(index * 5) % list.length]);

test('a plan for one kind of rows writes others: in another order of columns, with less of them, or as objects', async () => {
  const random = randomFrom(7);
  const all = [randomRows(random, 3), randomRows(random, 3), randomRows(random, 3)];
  const rows = [...all.flatMap(({ wire }) => wire), ...(all[0]?.objects ?? [])];
  const objects = [...all.flatMap((one) => one.objects), ...(all[0]?.objects ?? [])];
  for (const selection of SELECTIONS) {
    const document = `{ rows { ${selection} } } ${selection.includes('...F') ? FRAGMENT : ''}`;
    expect(await written(document, { rows: mixed(rows) })).toBe(await executed(document, { rows: mixed(objects) }));
  }
});

test('members of JSON are found in whatever order and company they are', async () => {
  const random = randomFrom(8);
  const whole = randomPart(random, 1);
  const turned = Object.fromEntries(Object.entries(whole).toReversed());
  const more = { 'a"\\': 'b', name: 'x', '\u2028': {}, 7: [], ...whole, zzz: null };
  const rows = randomRows(random, 6, (row) => ({
    ...row,
    one: more,
    many: [whole, turned, more, whole],
    must: turned,
  }));
  const document = `{ rows { one { ${PART} } many { ${PART} } must { ${PART} } } }`;
  expect(await written(document, { rows: rows.wire })).toBe(await executed(document, { rows: rows.objects }));
});

const manyParts = (count: number) => {
  const random = randomFrom(9);
  const many = Array.from({ length: count }, () => randomPart(random, 0));
  return randomRows(random, 20, (row) => ({
    ...row,
    many: [...many, { ...many[0], at: '2026-12-01T09:00:00.5+00:00' }],
  }));
};

test('a part that has to be looked at, and takes more than a turn, is waited for', async () => {
  const rows = manyParts(40);
  const document = '{ rows { name many { at name } note } }';
  const expected = await executed(document, { rows: rows.objects });
  // Every look at the time says that others wait.
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
  expect(await written(document, { rows: rows.wire })).toBe(expected);
});

const WRONG: Readonly<Record<string, [selection: string, change: (row: object) => object]>> = {
  'null in a column that cannot be': ['name', (row) => ({ ...row, name: null })],
  'no UUID': ['uid', (row) => ({ ...row, id: null })],
  'no UUID in a part': ['one { uid }', (row) => ({ ...row, one: { id: null } })],
  'no UUID in a flat part': ['flat { uid }', (row) => ({ ...row, flat: { id: null } })],
  'no id': ['id', (row) => ({ ...row, id: null })],
  'an id whose owner is unknown': [
    'other',
    (row) => ({ ...row, id: null, otherId: '0192aabb-0000-7000-8000-000000000001' }),
  ],
  'a color that is none': ['color', (row) => ({ ...row, color: 'red' })],
  'a time that is none': ['at', (row) => ({ ...row, at: 'infinity' })],
  'a year that is no year': ['at', (row) => ({ ...row, at: '10000-01-01 00:00:00+00' })],
  'no part': ['must { name }', (row) => ({ ...row, must: null })],
  'no list of parts': ['many { name }', (row) => ({ ...row, many: null })],
  'no list of flat parts': ['flats { name }', (row) => ({ ...row, flats: null })],
  'null in a flat part': ['flat { name }', (row) => ({ ...row, flat: { name: null } })],
  'null in one of flat parts': ['flats { count }', (row) => ({ ...row, flats: [{ count: 1 }, { count: null }] })],
  'a color that is none, in a flat part': ['flats { color }', (row) => ({ ...row, flats: [{ color: 'red' }] })],
  'null among parts': ['many { name }', (row) => ({ ...row, many: [null] })],
  'a part in the place of a list': ['many { name }', (row) => ({ ...row, many: { name: 'x' } })],
  'null in a part': ['one { name }', (row) => ({ ...row, one: { name: null } })],
  'null deep in a part': ['one { one { one { name } } }', (row) => ({ ...row, one: { one: { one: { name: null } } } })],
  'a part without the member': ['one { name }', (row) => ({ ...row, one: { note: 'x' } })],
  'a color that is none, in a part': ['one { color }', (row) => ({ ...row, one: { color: 7 } })],
  'a number that is none, in a part': ['one { number }', (row) => ({ ...row, one: { number: 1.5 } })],
  'a text for a number, in a part': ['one { number }', (row) => ({ ...row, one: { number: 'x' } })],
};

describe('the plan rejects an answer that the executor has to report on, and the next answer is whole:', () => {
  test.each(Object.entries(WRONG))('%s', async (_what, [selection, change]) => {
    const good = randomRows(randomFrom(10), 20);
    let index = 0;
    const rows = randomRows(randomFrom(10), 20, (row) => (index++ === 17 ? (change(row) as never) : row));
    for (const document of [`{ rows { note ${selection} } }`, `{ rows { ${selection} label later note } }`]) {
      expect(await executed(document, { rows: rows.objects })).toBeUndefined();
      await expect(written(document, { rows: rows.wire })).rejects.toThrow(/./);
      expect(OUT.length).toBe(0);
      const next = '{ rows { name one { name } } }';
      expect(await written(next, { rows: good.wire })).toBe(await executed(next, { rows: good.objects }));
    }
  });
});

test('texts of several MB, then short ones: nothing of one is seen in the other', async () => {
  const random = randomFrom(11);
  const long = `"\u0001é👋${'x\n'.repeat(500_000)}`;
  const [large, small] = [
    randomRows(random, 2, (row) => ({ ...row, name: long, one: { ...randomPart(random, 0), name: long } })),
    randomRows(random, 2),
  ];
  const document = '{ rows { name label one { name } } }';
  for (const { wire, objects } of [large, small, large, small]) {
    expect((await written(document, { rows: wire })) === (await executed(document, { rows: objects }))).toBe(true);
  }
});

const late = <Row>(rows: readonly Row[]): Promise<Row>[] => rows.map(async (row) => row);

test('answers that wait for each other’s rows do not mix', async () => {
  const random = randomFrom(12);
  const all = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { wire, objects } = randomRows(random, 1 + (index % 20));
      const document = `{ a${index}: rows { ${SELECTIONS[index % SELECTIONS.length]} later } } ${FRAGMENT}`;
      return [
        await written(document, { rows: late(wire) }),
        await executed(document, { rows: late(objects) }),
      ] as const;
    }),
  );
  expect(all.map(([text]) => text)).toEqual(all.map(([, expected]) => expected));
});

const FAULTS: Readonly<Record<string, () => unknown>> = {
  'an escape that is forgotten': () => {
    const take = OUT.take.bind(OUT);
    vi.spyOn(OUT, 'take').mockImplementation((from) => take(from).replace('\\"', '"'));
  },
  'a control character that is not escaped': () => {
    const take = OUT.take.bind(OUT);
    vi.spyOn(OUT, 'take').mockImplementation((from) => take(from).replace('\\u0001', '\u0001'));
  },
  'a column that begins a byte late': () =>
    plantPlaces((places) => {
      places[0] = (places[0] as number) + 1;
    }),
  'the places of the columns beside': () =>
    plantPlaces((places) => places.set([...places.subarray(2), ...places.subarray(0, 2)])),
  'the places of another row': () => {
    const { locate } = WireRow.prototype as { readonly locate: (this: WireRow) => void };
    const last = new WeakMap<WireShape, WireRow>();
    vi.spyOn(WireRow.prototype, 'locate').mockImplementation(function (this: WireRow) {
      locate.call(this);
      const before = last.get(this.shape);
      last.set(this.shape, this);
      if (before) locate.call(before);
    });
  },
  'an empty object in the place of null': () => plantBytes('null', '{}'),
  'a false that is true': () => plantBytes('false', 'true'),
  'a list that is not closed': () => {
    const byte = OUT.byte.bind(OUT);
    vi.spyOn(OUT, 'byte').mockImplementation((code) => byte(code === 0x5d ? 0x7d : code));
  },
};

function plantPlaces(change: (places: Int32Array) => void): void {
  const { locate } = WireShape.prototype as {
    readonly locate: (this: WireShape, ...args: Parameters<WireShape['locate']>) => number;
  };
  vi.spyOn(WireShape.prototype, 'locate').mockImplementation(function (this: WireShape, ...args) {
    const end = locate.apply(this, args);
    change(this.places);
    return end;
  });
}

function plantBytes(right: string, wrong: string): void {
  const bytes = OUT.bytes.bind(OUT);
  vi.spyOn(OUT, 'bytes').mockImplementation((from, start, end) => {
    const isIt = Buffer.from(from.subarray(start, end)).toString('latin1') === right;
    return isIt ? bytes(Buffer.from(wrong), 0, wrong.length) : bytes(from, start, end);
  });
}

describe('the comparison', () => {
  test.each(Object.entries(FAULTS))('finds %s', async (_fault, plant) => {
    plant();
    const found = await differences([5]);
    vi.restoreAllMocks();
    OUT.length = 0;
    expect(found).not.toEqual([]);
  });
});
