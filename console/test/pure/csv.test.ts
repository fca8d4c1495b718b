import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { kindOfFile, stepsOfTable, TableError } from '../../src/kinds/csv-items.ts';
import { cellsOf, tableColumns, tableLine } from '../../src/kinds/csv-write.ts';
import { inputsOf } from '../../src/kinds/inputs.ts';
import { kindOf, kinds } from '../../src/kinds/registry.ts';
import type { Row } from '../../src/kinds/shape.ts';

const items = (kind: string, text: string): unknown[] => {
  const it = kindOf(kind);
  assert.ok(it);
  return stepsOfTable(it, text).map((step) => step.item[it.one]);
};
const problems = (kind: string, text: string): string[] => {
  try {
    items(kind, text);
  } catch (error) {
    if (error instanceof TableError) return error.problems;
    throw error;
  }
  return [];
};

// The cases are those of the command line's tests: both read the same tables.
test('lines become items', () => {
  const text = 'name,site,role,placement.rack,placement.startUnit,placement.face,forwards,labels.env,attributes.floor\n'
    + 's1,ams1,server,ams1/A14,10.5,rear,,prod,2\ns2,ams1,patch panel,,,,no,,null\n';
  assert.deepEqual(items('Device', text), [
    { name: 's1', site: { site: 'ams1' }, role: 'SERVER', placement: { rack: { site: 'ams1', rack: 'A14' }, startUnit: 10.5, face: 'REAR' }, labels: { env: 'prod' }, attributes: { floor: 2 } },
    { name: 's2', site: { site: 'ams1' }, role: 'PATCH_PANEL', forwards: false, attributes: { floor: null } },
  ]);
});

test('every form of a field can be a column', () => {
  const cases: Array<[string, string, string, object]> = [
    ['Port', 'device.site,device.device', 'ams1,sw', { device: { site: 'ams1', device: 'sw' } }],
    ['Port', 'addresses,speedBps', '10.0.0.1/24;10.0.0.2/24,100000000000', { addresses: ['10.0.0.1/24', '10.0.0.2/24'], speedBps: 100_000_000_000 }],
    ['PowerFeed', 'upstream.powerFeed', 'ams1/A1/A', { upstream: { powerFeed: { site: 'ams1', rack: 'A1', powerFeed: 'A' } } }],
    ['Cable', 'aEnds.port,bEnds.port,bEnds.powerFeed', 'ams1/a/e1;ams1/b/e1,ams1/c/e1,ams1/A1/A', {
      aEnds: [{ port: { site: 'ams1', device: 'a', port: 'e1' } }, { port: { site: 'ams1', device: 'b', port: 'e1' } }],
      bEnds: [{ port: { site: 'ams1', device: 'c', port: 'e1' } }, { powerFeed: { site: 'ams1', rack: 'A1', powerFeed: 'A' } }],
    }],
    ['Cable', 'aEnds,labels', 'port/ams1/a/e1;POWERFEED/ams1/A1/A,env=prod; tier=core', {
      aEnds: [{ port: { site: 'ams1', device: 'a', port: 'e1' } }, { powerFeed: { site: 'ams1', rack: 'A1', powerFeed: 'A' } }], labels: { env: 'prod', tier: 'core' },
    }],
    ['Cable', 'riskGroups,attributes', '"[""a;b""]","{""n"": 1}"', { riskGroups: ['a;b'], attributes: { n: 1 } }],
    ['Link', 'a.device,cables', 'ams1/x,c1;c2', { a: { device: { site: 'ams1', device: 'x' } }, cables: [{ cable: 'c1' }, { cable: 'c2' }] }],
    ['Circuit', 'aEnd.site,installedOn', 'ams1,2026-11-20', { aEnd: { site: { site: 'ams1' } }, installedOn: '2026-11-20' }],
    ['Site', 'coordinates.latitude,coordinates.longitude', '52.3,4.9', { coordinates: { latitude: 52.3, longitude: 4.9 } }],
    ['Device', 'hardware.cpuCores,hardware.cpuArchitecture', '64,amd64', { hardware: { cpuCores: 64, cpuArchitecture: 'AMD64' } }],
    ['Device', 'labels.app.io/tier,labels.app,externalId', 'core,x,17', { labels: { 'app.io/tier': 'core', app: 'x' }, externalId: '17' }],
    ['Device', 'addresses', '"[{""type"": ""MANAGEMENT"", ""address"": ""10.0.0.1""}]"', { addresses: [{ type: 'MANAGEMENT', address: '10.0.0.1' }] }],
  ];
  for (const [kind, header, cells, expected] of cases) assert.deepEqual(items(kind, `name,${header}\nx,${cells}\n`), [{ name: 'x', ...expected }], `${kind} ${header}`);
});

test('references are names after their parents', () => {
  const id = '01936f7a-0000-7000-8000-000000000000';
  const cases: Array<[string, string, string, object]> = [
    ['Device', 'placement.rack', 'A14', { placement: { rack: { rack: 'A14' } } }],
    ['Device', 'placement.rack', 'ams1/A/14', { placement: { rack: { site: 'ams1', rack: 'A/14' } } }],
    ['Port', 'lag', 'eth0', { lag: { port: 'eth0' } }],
    ['Port', 'lag', 'sw-1/eth0', { lag: { device: 'sw-1', port: 'eth0' } }],
    ['Port', 'lag', 'ams1/sw-1/Ethernet1/1', { lag: { site: 'ams1', device: 'sw-1', port: 'Ethernet1/1' } }],
    ['Port', 'lag', 'ams1/pp-1/front/3', { lag: { site: 'ams1', device: 'pp-1', family: 'FRONT', port: '3' } }],
    ['Port', 'lag', 'pp-1/REAR/3', { lag: { device: 'pp-1', family: 'REAR', port: '3' } }],
    ['Device', 'location', 'ams1/hall-1', { location: { site: 'ams1', location: 'hall-1' } }],
    ['Device', 'parent', id, { parent: { id } }],
    ['Device', 'parent', '"{""externalId"": ""7""}"', { parent: { externalId: '7' } }],
  ];
  for (const [kind, header, cell, expected] of cases) assert.deepEqual(items(kind, `name,${header}\nx,${cell}\n`), [{ name: 'x', ...expected }], cell);
});

test('files of common programs are read', () => {
  const expected = [{ name: 'a' }, { name: 'b' }];
  for (const text of ['name\na\nb\n', 'name\na\nb', '\u{feff}name\r\na\r\nb\r\n', 'name\ra\rb\r', '\n\nname\n\na\n\n\nb\n\n', ' name \na\nb\n', '"name"\n"a"\n"b"\n']) {
    assert.deepEqual(items('Region', text), expected, JSON.stringify(text));
  }
  assert.deepEqual(items('Region', 'name,description\na,\nb,\n,\n'), expected);
  assert.deepEqual(items('Region', 'name,description\na,"one, two\nthree ""x"""\n'), [{ name: 'a', description: 'one, two\nthree "x"' }]);
});

test('errors name line and column', () => {
  for (const [kind, text, expected] of [
    ['Rack', '', 'the file is empty'],
    ['Rack', '\n\r\n', 'the file is empty'],
    ['Rack', 'name\n', 'only the names of columns'],
    ['Rack', 'name,heigthU\n', 'line 1, column 2: a Rack has no field "heigthU". Allowed: '],
    ['Rack', '\n\nname,name\n', 'line 3, column 2: "name" is already column 1'],
    ['Rack', 'name,site,site.site\n', 'line 1, column 3: "site.site" and "site" set the same value'],
    ['Cable', 'name,aEnds,aEnds.port\n', 'line 1, column 3: "aEnds.port" and "aEnds" set the same value'],
    ['Rack', 'name,,site\n', 'line 1, column 2: has no name'],
    ['Rack', 'name,labels\nr,prod\n', 'line 2, column 2 (labels): must have entries such as env=prod;tier=core, or be JSON, not "prod"'],
    ['Rack', 'name,serial.x\n', 'line 1, column 2: "serial.x" goes too far: serial is written in one column'],
    ['Device', 'name,placement.unit\n', 'line 1, column 2: placement has no member "unit"'],
    ['Device', 'site,role\n', 'line 1: there is no column name, id or externalId'],
    ['Rack', 'name;site\n', 'line 1: the columns must be separated by commas'],
    ['Rack', 'name,site\na,b\nr,s,t\n', 'line 3: has 3 columns, but the header has 2'],
    ['Rack', 'name,site\n\n"r\n', 'line 3: a quotation mark is opened here'],
    ['Rack', 'name,heightU\nr,tall\n', 'line 2, column 2 (heightU): must be a whole number'],
    ['Device', 'name,role\nd,sever\n', 'line 2, column 2 (role): must not be "sever". Allowed: '],
    ['Device', 'name,placement.rack\nd,ams1/\n', 'line 2, column 2 (placement.rack): must be a Rack as rack or site/rack, not "ams1/"'],
    ['Port', 'name,addresses\np,a;;b\n', 'has an empty entry'],
  ] as const) {
    assert.ok(problems(kind, text)[0]?.includes(expected), `${JSON.stringify(text)}: ${problems(kind, text)[0]}`);
  }
  assert.deepEqual(problems('Rack', 'name,heightU,status\na,1,\nb,x,y\nc,2,\nd,3\n').map((it) => it.slice(0, 16)), ['line 3, column 2', 'line 3, column 3', 'line 5: has 2 co']);
});

test('a file is named after its kind', () => {
  for (const [name, kind] of [['devices.csv', 'Device'], ['Device.CSV', 'Device'], ['power-feeds.csv', 'PowerFeed'], ['racks-2026.csv', 'Rack'], ['circuit_terminations.csv', 'CircuitTermination'], ['export.csv', undefined]] as const) {
    assert.equal(kindOfFile(name)?.name, kind, name);
  }
});

interface Written {
  kind: string;
  items: Row[];
  table: string;
}

// The command line writes the same tables of the same items: its tests read this file, too.
test('what is written of objects is read as the same objects', () => {
  const cases = JSON.parse(readFileSync('test/pure/tables.json', 'utf8')) as Written[];
  assert.deepEqual(cases.map((it) => it.kind), kinds().map((it) => it.name), 'all kinds');
  for (const { kind, items: written, table } of cases) {
    const it = kindOf(kind);
    assert.ok(it);
    // The ends of circuits have a table of their own.
    const fields = inputsOf(it).map((field) => field.name).filter((name) => it.fields.some((field) => field.name === name) && (kind !== 'Circuit' || !['aEnd', 'zEnd'].includes(name)));
    const columns = tableColumns(kind, fields);
    const text = [tableLine(columns.map((column) => column.name)), ...written.map((item) => tableLine(cellsOf(columns, { id: item.id, item })))].join('');
    assert.equal(text, table, kind);
    assert.deepEqual(items(kind, text), written, kind);
  }
});

test('columns that the server computes are not written, which is said', () => {
  const rack = kindOf('Rack');
  assert.ok(rack);
  const notes: string[][] = [];
  const steps = stepsOfTable(rack, 'name,updatedAt,heightU,version\nr,2026-11-20,42,7\n', (it) => notes.push(it));
  assert.deepEqual([steps.map((it) => it.item), notes], [[{ rack: { name: 'r', heightU: 42 } }], [['updatedAt', 'version']]]);
  // Cells of such a column are no formulas.
  const columns = tableColumns('Port', ['name', 'peers', 'cable']);
  const row = { id: 'i', item: { name: '-48V' }, peers: [{ id: 'p', name: '=1+1' }], cable: null };
  assert.equal(tableLine(cellsOf(columns, row)), "i,'-48V,'=1+1,\r\n");
});
