import { demoWorld } from '../../src/server/world-file/demo/demo.js';
import type { Conformance } from '../../src/cli/service/conformance/examine.js';
import { testApp } from './app.js';
import { testService, type TestService } from './service.js';

/** The demo world in memory. */
export const demoService = (dialect: 'document' | 'live' = 'document') => testService({ world: demoWorld, dialect });

/** Runs conformance as the administrator of the demo world. */
export const runConformanceOn = async (service: TestService, ...words: string[]) => {
  const app = await testApp({ service, env: { COLLOQUY_TOKEN: 'root-token' } });
  return app.run('conformance', '-p', 'acme/app', '-g', 'acme', ...words);
};

export const conformanceIn = (out: string): Conformance => JSON.parse(out) as Conformance;
