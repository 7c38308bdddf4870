import type { WorldDiscussion, WorldMergeRequest, WorldNote, WorldPosition } from '../schema.js';

export const note = (
  id: number, author: string, body: string, created_at: string, more: WorldNote = {},
): WorldNote => ({ id, author, body, created_at, ...more });

export const thread = (id: string, notes: WorldNote[]): WorldDiscussion => ({ id, notes });

/** A single comment, which is no thread until somebody replies. */
export const comment = (id: string, one: WorldNote): WorldDiscussion => ({ id, individual_note: true, notes: [one] });

/** The diff of the demo's merge request: changed, added, renamed and deleted files, and an image. */
const retryDiff = `diff --git a/docs/attempts.png b/docs/attempts.png
new file mode 100644
index 0000000..b573b3b
Binary files /dev/null and b/docs/attempts.png differ
diff --git a/docs/queue.md b/docs/queue.md
deleted file mode 100644
index c6bbaa0..0000000
--- a/docs/queue.md
+++ /dev/null
@@ -1,4 +0,0 @@
-# Queue
-
-Messages that could not be delivered are written to a file and
-sent again by hand.
diff --git a/src/limits.ts b/src/delivery/limits.ts
similarity index 87%
rename from src/limits.ts
rename to src/delivery/limits.ts
index 857e863..282f8ae 100644
--- a/src/limits.ts
+++ b/src/delivery/limits.ts
@@ -3,4 +3,5 @@ export const limits = {
   text: 4096,
   recipients: 50,
   perMinute: 120,
+  attempts: 5,
 };
diff --git a/src/delivery/retry.ts b/src/delivery/retry.ts
new file mode 100644
index 0000000..3098889
--- /dev/null
+++ b/src/delivery/retry.ts
@@ -0,0 +1,10 @@
+import { setTimeout as pause } from 'node:timers/promises';
+
+/** Calls until it works, at most so many times, waiting longer each time. */
+export const retried = async (attempts: number, call: () => Promise<boolean>): Promise<boolean> => {
+  for (let i = 0; i < attempts; i++) {
+    if (await call()) return true;
+    await pause(100 * 2 ** i);
+  }
+  return false;
+};
diff --git a/src/delivery/send.ts b/src/delivery/send.ts
index 6130b72..38cdc81 100644
--- a/src/delivery/send.ts
+++ b/src/delivery/send.ts
@@ -1,14 +1,19 @@
 import { request } from 'undici';
-import { limits } from '../limits.js';
+import { limits } from './limits.js';
+import { retried } from './retry.js';
 
 export interface Message {
   readonly to: string;
   readonly text: string;
 }
 
-/** Delivers one message. */
+/** Delivers one message, retrying if necessary. */
 export const send = async (message: Message): Promise<boolean> => {
   if (message.text.length > limits.text) return false;
+  return retried(limits.attempts, () => attempt(message));
+};
+
+const attempt = async (message: Message): Promise<boolean> => {
   const { statusCode } = await request(message.to, {
     method: 'POST',
     body: message.text,
`;

export const queueDiff = `diff --git a/src/delivery/queue.ts b/src/delivery/queue.ts
index ac9febd..db6cc00 100644
--- a/src/delivery/queue.ts
+++ b/src/delivery/queue.ts
@@ -4,4 +4,4 @@ import type { Message } from './send.js';
 export const queue: Message[] = [];
 
 /** The next message, oldest first. */
-export const next = (): Message | undefined => queue.pop();
+export const next = (): Message | undefined => queue.shift();
`;

const send: WorldPosition = { old_path: 'src/delivery/send.ts', new_path: 'src/delivery/send.ts' };
const sendCode = '82451eaa68a8d0ceddda4c22edd3114a33ef47f3';

const general: readonly WorldDiscussion[] = [
  thread('dea33e9be8c0ea6891f3a29989a345cb6c7a701e', [
    note(301, 'ada', 'marked this merge request as **ready**', '2024-05-06T09:12:04Z', { system: true }),
  ]),
  comment('76a4184ccff3d198220761c149c09649baa141df',
    note(302, 'bob', 'Nice and small. I will read it this afternoon.', '2024-05-06T09:40:31Z')),
  thread('53a25ddd2be84efa257c91d4d01cd7e2d58fd575', [
    note(303, 'bob', 'What happens to a message after the last attempt? The old page said it was kept.',
      '2024-05-06T13:02:10Z'),
    note(304, 'ada', 'It is dropped, and `sendAll` counts it as not sent. Keeping it is the next step: see #7.',
      '2024-05-06T13:20:45Z'),
    note(305, 'bob', 'Then please say so in the documentation before this goes out.', '2024-05-06T13:24:00Z'),
  ]),
];

const resolved = { resolved_by: 'bob', resolved_at: '2024-05-07T08:15:00Z' };

const onTheDiff: readonly WorldDiscussion[] = [
  thread('1ce52a2d5081ee5773ff923d61c47a22273c6210', [
    note(306, 'bob', 'A service that answers 400 will answer 400 five times. Should this stop early?',
      '2024-05-06T13:31:12Z', { position: { ...send, new_line: 13 } }),
    note(307, 'ada', 'Yes: only 429 and 5xx are worth another attempt.', '2024-05-06T14:02:55Z'),
  ]),
  thread('0423c7d8273be52f022fadd64441f04d6abe17b0', [
    note(308, 'bob', 'These lines could move to a file of their own.', '2024-05-06T13:35:48Z', {
      position: {
        ...send, new_line: 16,
        line_range: {
          start: { line_code: `${sendCode}_12_13`, type: 'new', new_line: 13 },
          end: { line_code: `${sendCode}_12_16`, type: 'new', new_line: 16 },
        },
      },
    }),
  ]),
  thread('1e5cc3e7bc91618a16707fb903035a697eb049df', [
    note(309, 'bob', 'Five attempts or three?', '2024-05-06T13:38:20Z', {
      position: { old_path: 'src/limits.ts', new_path: 'src/delivery/limits.ts', new_line: 6 }, ...resolved,
    }),
    note(310, 'ada', 'Five: together they wait about three seconds.', '2024-05-06T14:05:10Z', resolved),
  ]),
  thread('99fab79999460a4fb249d89c6eb14c4bbb604e63', [
    note(311, 'bob', 'The second bubble is hard to see on a light page.', '2024-05-07T08:21:37Z', {
      position: {
        position_type: 'image', old_path: 'docs/attempts.png', new_path: 'docs/attempts.png',
        width: 32, height: 32, x: 21, y: 19,
      },
    }),
  ]),
];

/** A merge request under review: open and resolved threads, notes on lines, on a range and on an image. */
export const mergeRequest: WorldMergeRequest = {
  id: 91, iid: 12, title: 'Try failed deliveries again', author: 'ada', reviewers: ['root'], state: 'opened',
  description: 'A message that can\'t be delivered is tried again up to five times, each time after a longer pause.'
    + '\n\nCloses #7',
  source_branch: 'retry', target_branch: 'main',
  base_sha: '8dedf2e5757a553de3da590ead822d1b3ed3027d',
  start_sha: '95fcf3bb44850b9400580f7ff20268481e08dece',
  head_sha: 'd228d5eb1ada95faaec52c2be1c352e3cdbd8cf6',
  diff: retryDiff,
  created_at: '2024-05-06T09:10:00Z', updated_at: '2024-05-07T08:21:37Z',
  discussions: [...general, ...onTheDiff],
};
