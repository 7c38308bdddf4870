import type { Readable, Writable } from 'node:stream';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { Value } from '@sinclair/typebox/value';
import { plainLine } from '../../text/plain.js';
import type { App } from '../app.js';
import { failureOf, Problem, usage } from '../command-line/failure.js';
import { isUrl } from '../command-line/ref.js';
import { readReference } from '../service/targets/target.js';
import {
  applyCommand, type Call, callOf, type Command, type CommandEnd, CommandFailed, findCommand, planHash, planCommand,
  readCommand, writeCommand, writtenIn,
} from './commands.js';
import {
  errorOf, failed, listItems, markedIfQuoting, type Part, placeAmong, placeIn, refused, resultPart, toolResult,
  untrusted,
} from './results.js';
import { changing, type Changing, type Given, inputs, instructions, toolList, type ToolName } from './tools.js';

/** In bytes. */
const largestMessage = 10 * 1024 * 1024;

/**
 * Serves over two streams until the input ends; then it finishes the calls that are open.
 * @throws the reason of an interrupt, or Problem for a message that is too large
 */
export const serveAgents = async (
  app: App, options: AgentOptions, { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> => {
  const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const { PassThrough } = await import('node:stream');
  const { setImmediate } = await import('node:timers/promises');
  const { server, idle } = await agentServer(app, options);
  // The transport aborts open calls when its input ends, so it has an input that ends after them.
  const held = new PassThrough();
  input.pipe(held, { end: false });
  input.once('end', () => {
    // What was written last has to be read and begun first.
    void setImmediate().then(() => setImmediate()).then(idle).then(() => setImmediate()).then(() => held.end());
  });
  const closed = new Promise<void>((resolve) => { server.onclose = resolve; });
  let failure: Error | null = null;
  server.onerror = (error) => { failure = error; };
  await server.connect(new StdioServerTransport(held, output, { maxBufferSize: largestMessage }));
  const stop = () => { void server.close(); };
  if (app.signal.aborted) stop();
  app.signal.addEventListener('abort', stop, { once: true });
  await closed;
  app.signal.removeEventListener('abort', stop);
  // The calls that ended tell what was changed.
  if (app.signal.aborted) await idle();
  app.signal.throwIfAborted();
  if (!held.writableEnded && isTooLarge(failure)) {
    input.destroy();
    throw new Problem('failure', 'the agent sent a message of more than 10 MB, so the server ended',
      'start it again, and send texts in parts');
  }
};

/** The transport closes for this error and for those of its output, which have a code. */
const isTooLarge = (error: Error | null): boolean => error !== null && !('code' in error);

interface AgentOptions {
  /** Options that every command gets, such as `--project=acme/app`. */
  readonly globals: readonly string[];
  readonly allowed: ReadonlySet<Changing>;
}

/** The tools over the Model Context Protocol. Calls run at once. */
export const agentServer = async (app: App, { globals, allowed }: AgentOptions) => {
  const { Server: ProtocolServer } = await import('@modelcontextprotocol/server');
  const { randomBytes } = await import('node:crypto');
  const mark = () => randomBytes(6).toString('hex');
  const runTool = toolRunner({ allowed, mark, call: callOf(app, globals) });
  const server = new ProtocolServer({ name: 'colloquy', version: app.program.version },
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

interface ToolContext {
  readonly call: Call;
  readonly allowed: ReadonlySet<Changing>;
  readonly mark: () => string;
}

type Tools = { readonly [T in ToolName]: (given: Given<T>, signal: AbortSignal) => Promise<CallToolResult> };

/** Never rejects: what the program says of a failure is in the result. */
const toolRunner = (context: ToolContext) => {
  const tools = toolsWith(context);
  return async (name: string, given: unknown, signal: AbortSignal): Promise<CallToolResult> => {
    try {
      const tool = checkedName(name);
      checkAllowed(tool, context.allowed);
      const input = checkedInput(tool, given);
      checkReference(input);
      return await (tools[tool] as (given: unknown, signal: AbortSignal) => Promise<CallToolResult>)(input, signal);
    } catch (error) {
      if (error instanceof CommandFailed) {
        return failed(error.outcome.error ?? { message: error.message }, context.mark());
      }
      const failure = failureOf(error);
      if (failure === null) throw error;
      return refused(errorOf(failure));
    }
  };
};

const checkedName = (name: string): ToolName => {
  if (Object.hasOwn(inputs, name)) return name as ToolName;
  throw usage(`there is no tool ${JSON.stringify(name)}`, `use one of ${Object.keys(inputs).join(', ')}`);
};

const checkAllowed = (tool: ToolName, allowed: ReadonlySet<Changing>): void => {
  const needed = changing.find((one) => one === tool);
  if (needed === undefined || allowed.has(needed)) return;
  throw new Problem('forbidden', `the tool ${tool} is not allowed`,
    `ask the user to start the server with \`colloquy mcp --allow ${needed}\``);
};

/** Commands take a first word of another form for a thread or file of the merge request of the branch. */
const checkReference = (input: object): void => {
  const { ref, action, what } = input as { readonly ref?: string; readonly action?: string; readonly what?: string };
  const isEpic = action === 'epics' || what === 'tree';
  if (ref !== undefined && !isEpic && !isUrl(ref)) readReference(ref, []);
};

/** Many models send every field, so optional ones that are empty are left out. */
const checkedInput = (tool: ToolName, given: unknown): object => {
  const required: readonly string[] = inputs[tool].required ?? [];
  const input = Object.fromEntries(Object.entries(given ?? {}).filter(([name, value]) =>
    required.includes(name) || (value ?? '') !== ''));
  const problem = Value.Errors(inputs[tool], input).First();
  if (problem === undefined) return input;
  const choices = (problem.schema as { anyOf?: readonly { readonly const?: string }[] }).anyOf?.map((one) => one.const);
  const what = choices ? `expected one of ${choices.join(', ')}` : problem.message.toLowerCase();
  throw usage(`invalid input for ${tool}: ${[problem.path.slice(1), what].filter((part) => part !== '').join(': ')}`,
    'see the input schema of the tool');
};

const toolsWith = ({ call, mark }: ToolContext): Tools => {
  const succeeded = async (command: Command, signal: AbortSignal): Promise<CommandEnd> => {
    const outcome = await call(command, signal);
    if (outcome.error !== null || outcome.code !== 0) throw new CommandFailed(outcome);
    return outcome;
  };
  const warningOf = ({ warnings }: CommandEnd) =>
    warnings.length === 0 ? {} : { warning: markedIfQuoting(warnings.map(plainLine).join('\n'), mark()) };
  const done = async (command: Command, signal: AbortSignal): Promise<string> =>
    (await succeeded(command, signal)).out;
  const shown = ({ text, next }: Part): CallToolResult =>
    untrusted(text, mark(), next === null ? {} : { next_cursor: next });
  return {
    find: async (given, signal) => {
      const { command, unfiltered, items: itemsIn, limit } = findCommand(given);
      const { cursor } = given;
      const items = itemsIn(await done(command, signal));
      const place = placeIn(items, cursor) ?? (unfiltered === null ? null
        : placeAmong(items, itemsIn(await done(unfiltered, signal)), cursor!));
      return shown(resultPart(items, place ?? changed(), limit));
    },
    read: async (given, signal) => {
      const items = listItems(await done(readCommand(given), signal));
      return shown(resultPart(items, placeIn(items, given.cursor) ?? changed(), Infinity));
    },
    plan: async (wanted, signal) => {
      const outcome = await call(planCommand(wanted), signal);
      // Differences have an exit code of their own.
      if (outcome.error !== null && outcome.error['code'] !== 'pending') throw new CommandFailed(outcome);
      const changes = JSON.parse(outcome.out) as readonly object[];
      return changes.length === 0 ? toolResult('nothing to change', { plan: null, ...warningOf(outcome) })
        : untrusted(outcome.out.trimEnd(), mark(), { plan: planHash(wanted, changes), ...warningOf(outcome) });
    },
    write: async (given, signal) => {
      const { out, omitted } = await succeeded(writeCommand(given), signal);
      const { ids, warning: said } = writtenIn(out);
      if (given.action === 'apply' && ids.length === 0) return toolResult('no suggestions to apply', { ids });
      const text = omitted?.isPosted === false ? `not posted: ${given.action}`
        : `done: ${[given.action, ...ids].join(' ')}`;
      const problems = [omitted?.reason ?? null, said].filter((one) => one !== null);
      if (problems.length === 0) return toolResult(text, { ids });
      const warning = markedIfQuoting(problems.join('; '), mark());
      return toolResult(`${text}\nwarning: ${warning}`, { ids, warning });
    },
    admin: async ({ plan, ...wanted }, signal) => {
      let isPlanned = false;
      const approve = (changes: readonly object[]): void => {
        isPlanned = planHash(wanted, changes) === plan;
        if (!isPlanned) throw otherPlan;
      };
      const outcome = await succeeded({ ...applyCommand(wanted), approve }, signal);
      if (!isPlanned) throw otherPlan;
      return untrusted(outcome.out.trimEnd(), mark(), warningOf(outcome));
    },
  };
};

const changed = (): never => {
  throw new Problem('rejected', 'cannot continue: the items before the cursor have changed',
    'call the tool again without cursor');
};

const otherPlan = new Problem('rejected', 'the plan is not that of this document and the service as it is now',
  'call plan again, and show its changes to the user');
