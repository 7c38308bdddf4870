import { Option } from 'commander';
import { formats } from './global.js';

/** The format for programs that pay for every word: each fact once. */
export const agent = 'agent';

/** `-o` with the format for agents. */
export const agentOption = (): Option =>
  new Option('-o, --output <format>', 'output format; agent has the fewest words')
    .choices([...formats, agent]).helpGroup('Output:');
