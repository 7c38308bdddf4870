import type { World } from '../../../src/server/index.js';

const [base, start, head] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];

/** The smallest world that shows every column and every mark of the output once. */
export const goldenWorld: World = {
  users: [
    { id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' },
    { id: 2, username: 'ada', name: 'Ada', token: 'ada-token' },
  ],
  groups: [{
    id: 10, path: 'acme', visibility: 'public', members: { ada: 'developer' },
    epics: [
      { id: 501, iid: 1, title: 'Roadmap', author: 'ada' },
      { id: 502, iid: 2, title: 'Alerts', author: 'ada', parent: 501, created_at: '2024-05-02T10:00:00Z' },
      { id: 503, iid: 3, title: 'Reports', author: 'ada', parent: 501, state: 'closed', created_at: '2024-05-03T10:00:00Z' },
    ],
  }],
  projects: [{
    id: 20, path: 'acme/app', visibility: 'public', members: { ada: 'developer' },
    issues: [{
      iid: 7, title: 'Deliveries stop', author: 'ada', discussions: [
        { id: 'a'.repeat(40), notes: [{ id: 201, author: 'ada', body: 'How long was it down?', created_at: '2024-05-06T10:00:00Z' }] },
        { id: 'b'.repeat(40), individual_note: true, notes: [{
          id: 202, author: 'root', body: '**Ten** minutes;\n\x1b[31m"not" red', created_at: '2024-05-06T11:00:00Z',
        }] },
      ],
    }],
    merge_requests: [{
      iid: 12, title: 'Stop retrying', author: 'ada', base_sha: base, start_sha: start, head_sha: head,
      diff: [
        'diff --git a/src/send.ts b/src/send.ts', '--- a/src/send.ts', '+++ b/src/send.ts',
        '@@ -1,2 +1,2 @@', ' const most = 5;', '-send(most);', '+send(most, stop);', '',
      ].join('\n'),
      discussions: [
        {
          id: 'c'.repeat(40), notes: [
            {
              id: 301, author: 'root', body: 'Why `stop`?', created_at: '2024-05-07T10:00:00Z',
              resolved_by: 'root', resolved_at: '2024-05-07T12:00:00Z',
              position: {
                position_type: 'text', base_sha: base, start_sha: start, head_sha: head,
                old_path: 'src/send.ts', new_path: 'src/send.ts', new_line: 2,
              },
            },
            {
              id: 302, author: 'ada', body: '- to end early\n- to save calls', created_at: '2024-05-07T11:00:00Z',
              resolved_by: 'root', resolved_at: '2024-05-07T12:00:00Z',
            },
          ],
        },
        { id: 'd'.repeat(40), notes: [{ id: 303, author: 'ada', body: 'Ready?', created_at: '2024-05-08T10:00:00Z' }] },
      ],
    }],
  }],
  appearance: { title: 'Acme', header_message: 'Maintenance tonight', message_background_color: '#8b1f2b', email_header_and_footer_enabled: true },
};
