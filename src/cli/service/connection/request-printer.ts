import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { plainText } from '../../../text/plain.js';
import { compileJq, formatOf } from '../../terminal/output/format.js';
import { outputFormats } from '../../terminal/output/writers.js';
import type { ShownRequest } from './dry-run.js';

/** @throws Problem for a jq expression that fails */
export const printRequest = async (request: ShownRequest, app: App, flags: GlobalFlags): Promise<void> => {
  if (flags.jq !== undefined) return (await compileJq(app, flags.jq, flags))(JSON.stringify(request));
  await app.out.write(await requestText(request, app, flags));
};

export const printRequests = async (
  requests: readonly ShownRequest[], app: App, flags: GlobalFlags,
): Promise<void> => {
  if (flags.jq !== undefined) return (await compileJq(app, flags.jq, flags))(JSON.stringify(requests));
  const { valueText } = outputFormats[formatOf(flags, app.out)];
  const text = valueText ? await valueText(requests, app.out) : requests.map(asHttp).map(plainText).join('\n');
  await app.out.write(text);
};

const requestText = async (request: ShownRequest, { out }: App, flags: GlobalFlags): Promise<string> => {
  const { valueText } = outputFormats[formatOf(flags, out)];
  return valueText ? valueText(request, out) : plainText(asHttp(request));
};

const asHttp = ({ method, url, headers, body }: ShownRequest): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`).join('');
  const content = body === null ? '' : `\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}\n`;
  return `${method} ${url}\n${lines}${content}`;
};
