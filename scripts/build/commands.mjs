/**
 * The commands of the bundle `frequent`; the launcher has the same list. A larger bundle takes longer to start, even if
 * most of it is not run.
 */
const frequent = {
  discussions: ['list', 'get', 'create', 'reply', 'resolve'],
  notes: ['list', 'add', 'edit', 'delete', 'resolve'],
  appearance: ['get', 'set'],
  epics: ['list', 'assign', 'create', 'reorder', 'unassign'],
  auth: ['login', 'logout', 'status', 'switch', 'token'],
  config: ['get', 'set'],
};

const isFrequent = (path) => {
  const [, noun, verb] = /\/([a-z]+)\/([a-z]+)\.js$/.exec(path);
  return frequent[noun].includes(verb);
};

/** The plugin that leaves subcommands out of a bundle: all, or those that are not frequent. */
export const withoutCommands = (which) => ({
  name: 'without commands',
  setup({ onResolve, onLoad }) {
    const isLeftOut = (path) => which === 'all' || !isFrequent(path);
    onResolve({ filter: /^\.\/commands\/[a-z]+\/[a-z]+\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' && isLeftOut(path) ? { path, namespace: 'left out' } : undefined);
    onLoad({ filter: /.*/, namespace: 'left out' }, ({ path }) =>
      ({ contents: `throw new Error(${JSON.stringify(`this bundle has no ${path}`)});` }));
  },
});
