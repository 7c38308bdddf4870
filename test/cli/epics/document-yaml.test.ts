import { describe, expect, it } from 'vitest';
import { errorOf, readShort } from '../../support/epic-documents.js';

describe('a YAML file', () => {
  it('has the children as a list or below the key children', async () => {
    const list = "- ref: '&2'\n  title: Login\n  children:\n    - title: Passwords\n    - title: Keys\n      children: []\n- Reports\n- '&3'\n- 2024\n";
    const expected = [['&2|Login', ['|Passwords', ['|Keys', []]]], '|Reports', '&3|', '|2024'];
    expect(await readShort(list, 'plan.yaml')).toEqual(expected);
    expect(await readShort(`children:\n${list.replace(/^/gm, '  ')}`, 'PLAN.YML')).toEqual(expected);
  });

  it('can be JSON', async () => {
    expect(await readShort('[{"ref":"id:501","children":["A","&2 B"]},{"title":"&2 B"}]', 'plan.json'))
      .toEqual([['id:501|', ['|A', '&2|B']], '|&2 B']);
  });

  it('can say that an epic has no children', async () => {
    expect(await readShort('[]', 'plan.yaml')).toEqual([]);
  });

  it.each([
    ['- ref: &2', '1:10: &2 without quotes is an anchor in YAML'], ['- &2 Login', '1:6: &2 without quotes is an anchor in YAML'],
    ['- A\n- *a', '2:3: *a is an alias without an anchor'], ['- {}', '1:3: an epic has neither ref nor title'],
    ['- children: []', '1:3: an epic has neither ref nor title'], ['- ref: 501', '1:8: "501" is not a reference to an epic'],
    ["- ref: '!2'", '1:8: "!2" is not a reference to an epic'], ['- title: ""', '1:10: the title is empty'],
    ['- title:', '1:9: a text is missing'], ['- A\n-', '2:2: a text is missing'], ['- titel: A', '1:3: unknown key'],
    ['- title: A\n  title: B', '2:3: duplicate key "title"'], ['- title: A\n  children: B', '2:13: children is not a list'],
    ['- - A', '1:3: this is not an epic'], ['A', '1:1: the file has no list of epics'], ['', '1:1: the file has no list of epics'],
    ['title: A', '1:1: the top level is one epic'], ['- A\n---\n- B', '2:1: a second document starts here'],
    ['- title: [A]', '1:10: a text is missing'], ['- A\n- "', '2:4: Missing closing'],
  ])('rejects %j with its place', async (text, message) => {
    const error = await errorOf(text, 'plan.yaml');
    expect(error?.code).toBe('usage');
    expect(error?.message).toContain(`plan.yaml:${message}`);
  });

  it('has at most 50 levels and 20,000 epics', async () => {
    const nested = (levels: number) => '[{"title":"A","children":'.repeat(levels - 1) + '["A"]' + '}]'.repeat(levels - 1);
    expect([await errorOf(nested(50), 'a.json'), (await errorOf(nested(51), 'a.json'))?.message])
      .toEqual([null, expect.stringMatching(/^a\.json:1:\d+: nested too deeply$/)]);
    expect([await errorOf('- A\n'.repeat(20_000), 'a.yaml'), await errorOf('- A\n'.repeat(20_001), 'a.yaml')])
      .toMatchObject([null, { message: 'a.yaml:20001:3: too many epics' }]);
  });

  it('keeps titles as they are written, even if YAML reads them as something else', async () => {
    expect(await readShort('- 2024-05-01\n- 1.50\n- yes\n- 0x1F\n- title: true\n', 'a.yaml')).toEqual(['|2024-05-01', '|1.50', '|yes', '|0x1F', '|true']);
  });
});
