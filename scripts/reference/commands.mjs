/**
 * The command reference: summary, usage, arguments, options, fields and examples of every command. Shared options are
 * listed once at the end: groups with their own heading, and the options of every command.
 */
export const commandReference = (program) => {
  const { root, globals } = program;
  const everywhere = new Set(globals);
  const isShared = (option) => everywhere.has(option) || option.long === '--version';
  const areas = root.commands.filter(isShown);
  const sections = areas.map((area) => areaSection(area, (command) => commandSection(program, command, isShared)));
  return [
    ...sections, ...sharedGroups(areas, isShared),
    `### Options of every command\n\n${optionTable(globals.filter((option) => !option.hidden))}`,
  ].join('\n\n');
};

/** Links to the areas of commands. */
export const commandLinks = ({ root }) =>
  root.commands.filter(isShown).map((area) => `[${area.name()}](#${area.name()})`).join(' · ');

const isShown = (command) => command.name() !== 'help';

/** The option groups that have a heading, each with its commands; a row names those that lack the option. */
const sharedGroups = (areas, isShared) => {
  const groups = new Map();
  for (const command of areas.flatMap((area) => [area, ...area.commands])) {
    for (const option of command.options.filter((one) => groupOf(one) && !isShared(one) && !one.hidden)) {
      const { options, commands } = groups.get(option.helpGroupHeading) ?? { options: new Map(), commands: new Set() };
      groups.set(option.helpGroupHeading, {
        options: options.set(option.flags, option), commands: commands.add(command),
      });
    }
  }
  return [...groups].map(([heading, { options, commands }]) => {
    const rows = [...options.values()].map((option) =>
      [option.flags, describe(option) + exceptions(option, [...commands])]);
    const links = [...commands].map(linkTo).join(', ');
    return `### ${heading.replace(/:$/, '')}\n\nFor ${links}.\n\n${table('Option', rows)}`;
  });
};

const exceptions = ({ flags }, commands) => {
  const has = (command) => command.options.some((option) => option.flags === flags && !option.hidden);
  const [having, lacking] = [commands.filter(has), commands.filter((command) => !has(command))];
  if (lacking.length === 0) return '';
  const [word, named] = lacking.length < having.length ? ['not', lacking] : ['only', having];
  return `; ${word} ${named.map((command) => `\`${nameOf(command).replace(/^colloquy /, '')}\``).join(', ')}`;
};

/** A command that replaces a global option lists it as its own. */
const groupOf = ({ helpGroupHeading: heading }) => heading === 'Global options:' ? undefined : heading;

const linkTo = (command) => `[${nameOf(command)}](#${nameOf(command).replaceAll(' ', '-')})`;

/** The section of an area; a command without subcommands is its own area. */
const areaSection = (area, section) => {
  const commands = area.commands.filter(isShown);
  return [
    `### ${area.name()}`, [sentence(area.summary() || area.description()),
      ...area.aliases().map((alias) => `Short name: \`${alias}\`.`)].join(' '),
    ...commands.length > 0 ? commands.map((command) => section(command)) : [section(area)],
  ].join('\n\n');
};

const commandSection = ({ exampleLines, fieldsPrintedBy }, command, isShared) => {
  const own = command.options.filter((option) => !option.hidden && !isShared(option) && !groupOf(option));
  const fields = fieldsPrintedBy(command);
  const examples = exampleLines(command);
  const described = command.registeredArguments.filter(({ description }) => description);
  const isArea = command.parent?.parent === null;
  return [
    ...isArea ? [] : [`#### ${nameOf(command)}`, sentence(command.summary() || command.description())],
    block('text', [[nameOf(command), ...command.registeredArguments.map(argumentText)].join(' ')]),
    ...described.length > 0 ? [table('Argument', described.map((one) => [one.name(), one.description]))] : [],
    ...own.length > 0 ? [optionTable(own)] : [],
    ...fields.length > 0 ? [`Fields for \`--json\`: ${fields.map((field) => `\`${field}\``).join(', ')}`] : [],
    ...examples.length > 0 ? ['Examples:', block('sh', examples)] : [],
  ].join('\n\n');
};

const nameOf = (command) => command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

const argumentText = (argument) => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const block = (language, lines) => `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Escapes `<`, because Markdown treats `<sha>` as an HTML element. */
const textCell = (text) => cell(text).replaceAll('<', '\\<');

const table = (heading, rows) => [`| ${heading} | Description |`, '|---|---|',
  ...rows.map(([name, text]) => `| \`${cell(name)}\` | ${textCell(text)} |`)].join('\n');

const optionTable = (options) => table('Option', options.map((option) => [option.flags, describe(option)]));

const describe = ({ description, argChoices, defaultValue }) => [
  description, ...argChoices ? [`(${argChoices.join(', ')})`] : [],
  ...typeof defaultValue === 'string' ? [`(default: ${defaultValue})`] : [],
].join(' ');
