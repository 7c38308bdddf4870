import type { Server } from '@modelcontextprotocol/server';
import type { App } from '../app.js';
import { callOf } from './call.js';
import { toolRunner, type Changing } from './run-tool.js';
import { instructions, toolList } from './tools.js';

/** How the server of a command line is set up. */
export interface AgentOptions {
  /** Options that every command gets, such as `--project=acme/app`. */
  readonly globals: readonly string[];
  readonly allowed: ReadonlySet<Changing>;
}

/** A server, and a promise that settles when no call is open. */
interface AgentServer {
  readonly server: Server;
  readonly idle: () => Promise<void>;
}

/** The tools over the Model Context Protocol. Calls run at once. */
export const agentServer = async (app: App, { globals, allowed }: AgentOptions): Promise<AgentServer> => {
  const { Server: ProtocolServer } = await import('@modelcontextprotocol/server');
  const { randomBytes } = await import('node:crypto');
  const mark = () => randomBytes(6).toString('hex');
  const runTool = toolRunner({ allowed, mark, call: callOf(app, globals) });
  const server = new ProtocolServer({ name: 'colloquy', version: app.version },
    { capabilities: { tools: {} }, instructions });
  const open = new Set<Promise<unknown>>();
  server.setRequestHandler('tools/list', () => ({ tools: toolList() }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const done = runTool(params.name, params.arguments, mcpReq.signal);
    const settled = done.catch(() => undefined).finally(() => { open.delete(settled); });
    open.add(settled);
    return done;
  });
  return { server, idle: async () => { while (open.size > 0) await Promise.all(open); } };
};
