import { describe, expect, it } from 'vitest';
import { json, unknownRoute } from '../../../../support/answers.js';
import type { WorldOptions } from '../../../../support/app.js';
import { sentBody, shownBy } from '../../../../support/editor-calls.js';
import { refs, threads } from '../../../../support/worlds.js';

describe('an editor', () => {
  it('shows the thread of a reply: author, time and text below the scissors', async () => {
    for (const call of [['discussions', 'reply', '!1', '3333'], ['notes', 'add', '!1', '--thread', '3333', '-e']]) {
      const { shown, ran, left } = await shownBy(call);
      expect(shown).toMatch(/^\n\n# -+ >8 -+\n/);
      expect(shown).toContain(`# Reply to this thread.
#
# Thread ${threads.thread} of mr/1:
#
# Gus Guest (@guest), 2024-05-01T11:49:00.000Z, note 120
#   please explain
#
# Dora Developer (@developer), 2024-05-01T11:50:00.000Z, note 121
#   see below
`);
      expect({ code: ran.code, body: sentBody(ran), left }).toEqual({ code: 0, body: 'written', left: [] });
    }
  });

  it('shows the target of a new comment or thread', async () => {
    expect((await shownBy(['notes', 'add', '#1', '-e'])).shown).toContain('# New comment on issue/1.\n');
    expect((await shownBy(['discussions', 'create', '!1', '--file', 'app.js', '--line', '2'])).shown)
      .toContain('# New thread on mr/1, app.js:2.\n');
  });

  it('shows the lines of the diff that a new thread is on', async () => {
    const hunk = '#\n#   1 1  one\n#   2   -two\n# >   2 +zwei\n';
    expect((await shownBy(['discussions', 'create', '!1', '--file', 'app.js:2'])).shown)
      .toContain(`# New thread on mr/1, app.js:2.\n${hunk}#\n#\n`);
    expect((await shownBy(['notes', 'add', `@${refs.commit}`, '-e', '--file', 'app.js:2'])).shown).toContain(hunk);
    expect((await shownBy(['discussions', 'create', '!1', '--file', 'app.js', '--line', '1-3'])).shown)
      .toContain('# New thread on mr/1, app.js:1-3.\n#\n# > 1 1  one\n# > 2   -two\n# >   2 +zwei\n# > 3 3  three\n');
  });

  it.each([['reply', ['discussions', 'reply', '!1', threads.diff]], ['edited note', ['notes', 'edit', '!1', '123', '--yes']]] as const)(
    'shows the lines of the diff that the thread of a %s is on', async (_, call) => {
      const { shown } = await shownBy(call, { env: { COLLOQUY_TOKEN: 'reporter-token' } });
      expect(shown).toContain(`# Thread ${threads.diff} of mr/1, app.js:2:\n#\n#   1 1  one\n#   2   -two\n# >   2 +zwei\n#\n# Rita Reporter`);
    });

  it('shows no lines if the service does not provide the diff', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => /\/(diffs|versions)\b/.test(target) ? unknownRoute : undefined;
    const { shown, ran } = await shownBy(['discussions', 'create', '!1', '--file', 'app.js:2'], { answer });
    expect(shown).toContain('# New thread on mr/1, app.js:2.\n#\n#\n#\n#\n#\n');
    expect({ code: ran.code, body: sentBody(ran) }).toEqual({ code: 0, body: 'written' });
  });

  it('shows no control characters', async () => {
    const note = { id: 1, body: 'a\x1b[2Jb\u202ec', system: false, created_at: '2024-05-01', author: { name: 'E\x07ve', username: 'eve' } };
    const answer: WorldOptions['answer'] = ({ method }) => method === 'GET' ? json(200, { id: threads.thread, notes: [note] }) : undefined;
    const { shown } = await shownBy(['discussions', 'reply', '!1', threads.thread], { answer });
    expect(shown).toContain('E\\u0007ve (@eve)');
    expect(shown).toContain('a\\u001b[2Jb\\u202ec');
  });
});
