/** The diff of the demo's merge request: changed, added, renamed and deleted files, and an image. */
export const retryDiff = `diff --git a/docs/attempts.png b/docs/attempts.png
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
