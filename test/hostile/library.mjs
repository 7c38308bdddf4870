/**
 * Makes the library calls that it reads, one line of JSON each: the name of a command and the options of a new
 * client. Prints a line when it is ready, and the result of each call as a line of JSON.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createClient, defaultRetry } from 'colloquy';
import { commands } from './commands.mjs';

const settled = async ({ command, ca, retries, ...options }) => {
  const client = createClient({
    ...options, ca: readFileSync(ca), strict: true, retry: { ...defaultRetry, retries },
  });
  try {
    return { value: await commands[command].call(client) };
  } catch ({ name, message, code, status }) {
    return { error: { name, message, code, status } };
  }
};

const written = (outcome) => {
  try {
    return JSON.stringify(outcome);
  } catch {
    return '{"value":"too deep to be printed"}';
  }
};

process.stdout.write('"ready"\n');
for await (const line of createInterface(process.stdin)) {
  process.stdout.write(`${written(await settled(JSON.parse(line)))}\n`);
}
