/**
 * The command reference: usage, summary and own options of every command, then what many share: the options that stand
 * for an argument, and those that every command has.
 */
export const commandReference = ({ root, globals }) => {
  const everywhere = new Set(globals.map((option) => option.flags));
  const own = (command) => command.options.filter((option) =>
    !option.hidden && !everywhere.has(option.flags) && option.long !== '--version' && !option.helpGroupHeading);
  const nouns = root.commands.filter((command) => command.name() !== 'help');
  return `${nouns.map((noun) => nounSection(noun, own)).join('\n')}
${sharedGroups(nouns, everywhere)}### Options of every command

${optionTable(globals.filter((option) => !option.hidden))}`;
};

/** Groups of options with a heading of their own, once each. */
const sharedGroups = (nouns, everywhere) => {
  const groups = new Map();
  for (const option of nouns.flatMap((noun) => noun.commands).flatMap((command) => command.options)) {
    if (!option.helpGroupHeading || everywhere.has(option.flags) || option.long === '--version') continue;
    const group = groups.get(option.helpGroupHeading) ?? new Map();
    groups.set(option.helpGroupHeading, group.set(option.flags, option));
  }
  return [...groups].map(([heading, options]) =>
    `### ${heading.replace(/:$/, '')}\n\n${optionTable([...options.values()])}\n`).join('');
};

const nounSection = (noun, own) => {
  const verbs = noun.commands.filter((command) => command.name() !== 'help');
  const commands = verbs.length > 0 ? verbs : [noun];
  return `### ${noun.name()}

${noun.summary() || noun.description()}

${commands.map((command) => commandSection(command, own)).join('')}`;
};

const commandSection = (command, own) => {
  const options = own(command);
  const words = [...ancestors(command), command.name(), ...command.registeredArguments.map(argumentText)].join(' ');
  const summary = command.summary() || command.description();
  return `**\`${words}\`**: ${summary}\n\n${options.length > 0 ? `${optionTable(options)}\n` : ''}`;
};

const ancestors = (command) => command.parent ? [...ancestors(command.parent), command.parent.name()] : [];

const argumentText = (argument) => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const optionTable = (options) => `| Option | |\n|---|---|\n${options.map((option) =>
  `| \`${cell(option.flags)}\` | ${cell(option.description)} |\n`).join('')}`;
