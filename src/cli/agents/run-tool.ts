import { Value } from '@sinclair/typebox/value';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { failureOf, Problem, usage } from '../command-line/failure.js';
import { isUrl } from '../command-line/ref.js';
import { readReference } from '../service/targets/target.js';
import { errorOf, failed, ownText, refused, untrusted } from './answer.js';
import { CommandFailed, type Call, type Command } from './call.js';
import { findCommand, readCommand } from './find.js';
import { itemsOf, partOf, placeAt, type Part } from './pages.js';
import { applyCommand, hashOf, planCommand } from './plan.js';
import { inputs, type Given, type ToolName } from './tools.js';
import { writeCommand } from './write.js';

/** The tools that change something. */
export const changing = ['write', 'admin'] as const;
export type Changing = (typeof changing)[number];

interface ToolSurroundings {
  readonly call: Call;
  readonly allowed: ReadonlySet<Changing>;
  /** Random text for the marks around what users wrote. */
  readonly mark: () => string;
}

type Tools = { readonly [T in ToolName]: (given: Given<T>, signal: AbortSignal) => Promise<CallToolResult> };

/** Never rejects: what the program says of a failure is in the result. */
export const toolRunner = (surroundings: ToolSurroundings) => {
  const tools = toolsWith(surroundings);
  return async (name: string, given: unknown, signal: AbortSignal): Promise<CallToolResult> => {
    try {
      const tool = checkedName(name);
      checkAllowed(tool, surroundings.allowed);
      const input = checkedInput(tool, given);
      checkReference(input);
      return await (tools[tool] as (given: unknown, signal: AbortSignal) => Promise<CallToolResult>)(input, signal);
    } catch (error) {
      if (error instanceof CommandFailed) {
        return failed(error.outcome.error ?? { message: error.message }, surroundings.mark());
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
  if (ref !== undefined && !isEpic && !isUrl(ref)) readReference(ref, null);
};

const checkedInput = (tool: ToolName, given: unknown): object => {
  const problem = Value.Errors(inputs[tool], given ?? {}).First();
  if (problem === undefined) return given ?? {};
  const choices = (problem.schema as { anyOf?: readonly { readonly const?: string }[] }).anyOf?.map((one) => one.const);
  const what = choices ? `expected one of ${choices.join(', ')}` : problem.message.toLowerCase();
  throw usage(`invalid input for ${tool}: ${[problem.path.slice(1), what].filter((part) => part !== '').join(': ')}`,
    'see the input schema of the tool');
};

/** @throws CommandFailed */
const toolsWith = ({ call, mark }: ToolSurroundings): Tools => {
  const done = async (command: Command, signal: AbortSignal): Promise<string> => {
    const outcome = await call(command, signal);
    if (outcome.error !== null || outcome.code !== 0) throw new CommandFailed(outcome);
    return outcome.out;
  };
  const shown = ({ text, next }: Part): CallToolResult =>
    untrusted(text, mark(), next === null ? {} : { next_cursor: next });
  return {
    find: async (given, signal) => {
      const { command, items, start, limit } = findCommand(given);
      return shown(partOf(items(await done(command, signal)), start, limit));
    },
    read: async (given, signal) =>
      shown(partOf(itemsOf(await done(readCommand(given), signal)), placeAt(given.cursor), Infinity)),
    plan: async (wanted, signal) => {
      const outcome = await call(planCommand(wanted), signal);
      // Differences have an exit code of their own.
      if (outcome.error !== null && outcome.error['code'] !== 'pending') throw new CommandFailed(outcome);
      const changes = JSON.parse(outcome.out) as readonly object[];
      return changes.length === 0 ? ownText('nothing to change', { plan: null })
        : untrusted(outcome.out.trimEnd(), mark(), { plan: hashOf(wanted, changes) });
    },
    write: async (given, signal) => {
      const out = await done(writeCommand(given), signal);
      const ids = out.trim() === '' ? [] : out.trim().split('\n');
      return ownText(`done: ${[given.action, ...ids].join(' ')}`, { ids });
    },
    admin: async ({ plan, ...wanted }, signal) => {
      let isPlanned = false;
      const approve = (changes: readonly object[]): void => {
        isPlanned = hashOf(wanted, changes) === plan;
        if (!isPlanned) throw otherPlan;
      };
      const out = await done({ ...applyCommand(wanted), approve }, signal);
      if (!isPlanned) throw otherPlan;
      return untrusted(out.trimEnd(), mark());
    },
  };
};

const otherPlan = new Problem('rejected', 'the plan is not that of this document and the service as it is now',
  'call plan again, and show its changes to the user');
