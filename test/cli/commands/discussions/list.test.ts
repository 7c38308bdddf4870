import { describe, expect, it } from 'vitest';
import { ran, ranIn } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

const list = ['discussions', 'list', '!1'];

describe('discussions list', () => {
  it('prints tab-separated lines without a header in a pipe', async () => {
    const { code, out, err } = await ran(...list);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      `${threads.thread}\topen\tguest\t2024-05-01T11:49:00.000Z\t2\t\tplease explain`,
      `${threads.resolved}\tresolved\treporter\t2024-05-01T11:51:00.000Z\t1\t\tdone?`,
      `${threads.diff}\topen\treporter\t2024-05-01T11:52:00.000Z\t1\tapp.js:2\twhy?`,
      '',
    ]);
  });

  it('prints a table with short ids and ages on a terminal', async () => {
    const { out } = await ranIn({ terminal: true }, ...list);
    expect(out).toBe([
      'THREAD    STATE     AUTHOR    CREATED         NOTES  PLACE     TEXT',
      '33333333  open      guest     11 minutes ago  2                please explain',
      '44444444  resolved  reporter  9 minutes ago   1                done?',
      '55555555  open      reporter  8 minutes ago   1      app.js:2  why?',
      '',
    ].join('\n'));
  });

  it('prints one JSON array of complete threads', async () => {
    const { out } = await ran(...list, '--json');
    expect(JSON.parse(out)).toMatchObject([{ id: threads.thread }, { id: threads.resolved }, { id: threads.diff }]);
    expect(out.split('\n')).toHaveLength(2);
  });

  it('prints the selected fields, indented on a terminal', async () => {
    expect((await ran(...list, '-L', '1', '--json=id')).out).toBe(`[{"id":"${threads.thread}"}]\n`);
    expect((await ranIn({ terminal: true }, ...list, '-L', '1', '--json=id')).out).toBe(
      `[\n  {\n    "id": "${threads.thread}"\n  }\n]\n`);
  });

  it('exits with 0 and an empty array if there are no threads', async () => {
    expect(await ran('discussions', 'list', '!2', '--json')).toMatchObject({ code: 0, out: '[]\n', err: '' });
    expect(await ran('discussions', 'list', '!2')).toMatchObject({ code: 0, out: '', err: '' });
    expect(await ranIn({ terminal: true }, 'discussions', 'list', '!2')).toMatchObject({ code: 0, out: '', err: 'no threads\n' });
  });

  it('reports that the limit cut the list', async () => {
    const { out, err } = await ran(...list, '-L', '2', '-o', 'id');
    expect(out).toBe(`${threads.thread}\n${threads.resolved}\n`);
    expect(err).toBe('showing 2 of 3; use --all to show all\n');
    expect((await ran(...list, '-L', '3', '-o', 'id')).err).toBe('');
  });

  it('reports a missing merge request as one JSON object on stderr', async () => {
    const { code, out, err } = await ran('discussions', 'list', '!99', '--json');
    expect({ code, out }).toEqual({ code: 6, out: '' });
    expect(JSON.parse(err)).toEqual({ error: {
      code: 'not_found', status: 404, message: '404 Not found', hint: 'check the id: it does not exist, or the token from COLLOQUY_TOKEN has no access to it',
      request: 'GET /api/v4/projects/acme%2Fapp/merge_requests/99/discussions',
    } });
  });

  it('prints its help', async () => {
    const { code, out } = await ran('discussions', 'list', '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: colloquy discussions list \[options\] \[ref\]\n/);
    expect(out).toContain('Examples:\n  colloquy discussions list mr/12 -p acme/app\n');
  });
});
