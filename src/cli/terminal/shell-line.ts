/**
 * A command line for a POSIX shell that gives its place to the program it starts, where it names one alone: what is
 * meant for the program, a signal or Ctrl-C, would end a shell that waits for it, and the program would stay behind.
 */
export const inItsPlace = (command: string): string => isSimple(command) ? `exec ${command}` : command;

const isSimple = (command: string): boolean => !/[;&|<>()`\n]|^\s*\w+=/.test(command);
