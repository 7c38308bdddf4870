import type { Transport, Handler } from '../../wire/http.js';
import { dataControls, setWorldWith } from '../control/controls.js';
import type { OpenWorld } from '../options.js';
import type { NamedWorld } from './worlds.js';

interface Place {
  readonly name: string;
  readonly url: () => string;
  readonly inProcess: (handle: Handler) => Transport;
}

/** A world as code sees it. */
export const openedWorld = (world: NamedWorld, { name, url, inProcess }: Place): OpenWorld => {
  const { tokens } = world.operations();
  return {
    name,
    get url() { return url(); },
    get tokens() { return tokens(); },
    handle: inProcess(world.handle),
    ...dataControls(world.operations),
    set: setWorldWith(world.operations),
    close: world.close,
    [Symbol.asyncDispose]: world.close,
  };
};
