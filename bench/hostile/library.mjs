/**
 * Makes one call of the library and prints what it settled with as one line of JSON. Arguments: the name of a command,
 * the options of the client as JSON. Node ends it with 13 when the call never settles.
 */
import { readFileSync } from 'node:fs';
import { createClient, defaultRetry } from 'colloquy';
import { commands } from './commands.mjs';

const [name, text] = process.argv.slice(2);
const { ca, retries, ...options } = JSON.parse(text);
const client = createClient({
  ...options, retry: { ...defaultRetry, retries }, ...(ca && { ca: readFileSync(ca) }),
});

const print = (outcome) => new Promise((resolve) => { process.stdout.write(`${JSON.stringify(outcome)}\n`, resolve); });

try {
  const value = await commands[name].call(client);
  await print({ value });
} catch (error) {
  const { name: kind, message, code, status } = error;
  await print({ error: { kind, message, code, status } });
}
