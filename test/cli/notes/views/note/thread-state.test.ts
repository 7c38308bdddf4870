import { expect, it } from 'vitest';
import { threadState } from '../../../../../src/cli/notes/views/note.js';
import type { Discussion } from '../../../../../src/contract/shapes/note.js';
import { everyRow } from '../../../../support/rows.js';

const open = { resolvable: true, resolved: false };

it('a thread is open if the service says so of it, or of one of its notes', async () => {
  const rows: readonly [object, readonly object[], string][] = [
    [{}, [open], 'open'], [{}, [{ ...open, resolved: true }], 'resolved'], [{}, [], ''],
    [{ resolvable: true, resolved: true }, [open], 'open'], [{ resolvable: true, resolved: true }, [{ ...open, resolved: true }], 'resolved'],
    [{ resolvable: true, resolved: true }, [{ resolvable: true }], 'open'], [{ resolvable: true, resolved: false }, [], 'open'],
    [{ resolvable: false, resolved: false }, [open], 'open'], [{ resolvable: false, resolved: false }, [], ''],
    [{ resolvable: true, resolved: null }, [open], 'open'], [{ resolvable: 'no', resolved: true }, [open], 'open'],
    [{ resolved: true }, [open], 'open'], [{ resolved: true }, [], ''],
    ...[{ resolvable: 'true', resolved: 'false' }, { resolved: false }, { resolved: 'true' }, { resolvable: 1, resolved: 1 }, { resolvable: 'true' }]
      .map((thread): [object, object[], string] => [thread, [{ ...open, resolved: true }], 'open']),
  ];
  await everyRow(rows, (row) => JSON.stringify(row), ([thread, notes, state]) =>
    expect(threadState({ id: '1', individual_note: false, ...thread, notes } as Discussion)).toBe(state));
});
