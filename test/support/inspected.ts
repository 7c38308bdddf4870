import { expect } from 'vitest';
import { textOf } from './markup.js';
import { testService } from './service.js';

interface Shown { readonly html: string; readonly styles: string }

/** The headers that open the inspector of a service. */
export const keyOf = ({ inspectorUrl }: { readonly inspectorUrl: string }) =>
  ({ authorization: `Bearer ${inspectorUrl.split('#')[1]}` });

/** A service with the key of its page, and what its views show. */
export const inspected = async (options: Parameters<typeof testService>[0] = {}) => {
  const given = await testService(options);
  const [address, token] = given.service.inspectorUrl.split('#') as [string, string];
  const headers = keyOf(given.service);
  const view = async (name: string, at = '', world = ''): Promise<Shown> => {
    const query = at === '' ? '' : `?at=${encodeURIComponent(at)}`;
    const { status, body } = await given.get<Shown>(`${world}/-/inspector/${name}${query}`, { as: null, headers });
    expect(status).toBe(200);
    return body;
  };
  return { ...given, address, token, headers, view, text: async (name: string, at?: string) => textOf((await view(name, at)).html) };
};
