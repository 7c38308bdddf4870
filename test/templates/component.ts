import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../support/program.js';

/** A declared input of a component. */
export interface ComponentInput {
  readonly description?: string;
  readonly default?: string | boolean;
  readonly options?: readonly string[];
  readonly type?: string;
}

interface Rule { readonly if: string; readonly when?: string; readonly needs?: readonly { readonly job: string }[] }

/** A job of a component, with the job that it extends merged in. */
export interface ComponentJob {
  readonly rules?: readonly Rule[];
  readonly variables: Readonly<Record<string, string | { readonly value: string }>>;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly stage: string;
}

type Configuration = Record<string, Partial<ComponentJob> & { extends?: string }>;

const text = readFileSync(join(root, 'templates', 'colloquy.yml'), 'utf8');

/** The declared inputs by name. */
export const inputs = (parseAllDocuments(text)[0]!.toJS() as { spec: { inputs: Record<string, ComponentInput> } }).spec.inputs;

/** The names of the inputs that the jobs use. */
export const usedInputs = (): string[] => [...new Set([...body.matchAll(/\$\[\[ inputs\.(\w+) \]\]/g)].map(([, name]) => name!))];

const [, body] = text.split(/^---$/m) as [string, string];

/** The jobs by name for given inputs, as GitLab makes them: it replaces the inputs in the text, then resolves `extends`. */
export const jobsWith = (given: Readonly<Record<string, string | boolean>>): Record<string, ComponentJob> => {
  const filled = body.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name: string) => {
    const value = given[name] ?? inputs[name]?.default;
    if (value === undefined) throw new Error(`no value for the input ${name}`);
    return String(value);
  });
  const [document, ...others] = parseAllDocuments(filled);
  if (!document || others.length > 0 || document.errors.length > 0) throw new Error(String(document?.errors));
  const configuration = document.toJS() as Configuration;
  return Object.fromEntries(Object.entries(configuration).filter(([name]) => !name.startsWith('.')).map(([name, job]) => {
    const base = configuration[job.extends ?? ''] ?? {};
    return [name, { ...base, ...job, variables: { ...base.variables, ...job.variables } } as ComponentJob];
  }));
};

/** The first rule of a job that a pipeline matches, for rules of comparisons that are joined with `&&`; it adds the job. */
export const ruleOf = ({ rules = [] }: ComponentJob, variables: Readonly<Record<string, string>>): Rule | undefined =>
  rules.find((rule) => rule.if.split(' && ').every((comparison) => {
    const [, left, operator, right] = /^(\S+|"[^"]*") (==|!=) "([^"]*)"$/.exec(comparison)!;
    const value = left!.startsWith('$') ? variables[left!.slice(1)] ?? '' : left!.slice(1, -1);
    return (value === right) === (operator === '==');
  }));

export const isAdded = (job: ComponentJob, variables: Readonly<Record<string, string>>): boolean => ruleOf(job, variables) !== undefined;

/** The script of a job as the runner runs it: one shell for all lines, which ends at the first failure. */
export const scriptOf = ({ before_script = [], script }: ComponentJob): string =>
  ['set -eo pipefail', ...before_script, ...script].join('\n');

/** The variables of a job as the runner sets them. */
export const variablesOf = ({ variables }: ComponentJob): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typeof value === 'string' ? value : value.value]));
