import { expect, it } from 'vitest';
import { startServer } from '../../../src/server/index.js';

it('twenty responses that wait at the same time cause no warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => { warnings.push(warning); };
  process.on('warning', note);
  const server = await startServer();
  await server.faults(['GET /version => latency 50']);
  const get = () => fetch(`${server.url}/api/v4/version`, { headers: { 'private-token': 'root-token' } });
  const responses = await Promise.all(Array.from({ length: 20 }, get));
  await server.close();
  process.off('warning', note);
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning');
});
