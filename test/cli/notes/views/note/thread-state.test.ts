import { expect, it } from 'vitest';
import { threadState } from '../../../../../src/cli/notes/views/note.js';
import type { Discussion } from '../../../../../src/contract/shapes/note.js';
import { everyRow } from '../../../../support/rows.js';

const open = { resolvable: true, resolved: false };

it('the state of a thread is what the service says of it, else that of its notes', async () => {
  const rows: readonly [object, readonly object[], string][] = [
    [{}, [open], 'open'], [{}, [{ ...open, resolved: true }], 'resolved'], [{}, [], ''],
    [{ resolvable: true, resolved: true }, [open], 'resolved'], [{ resolvable: true, resolved: false }, [], 'open'],
    [{ resolvable: false, resolved: false }, [open], ''],
    [{ resolvable: true, resolved: null }, [open], 'open'], [{ resolvable: 'no', resolved: true }, [open], 'open'],
    [{ resolved: true }, [open], 'open'],
  ];
  await everyRow(rows, (row) => JSON.stringify(row), ([thread, notes, state]) =>
    expect(threadState({ id: '1', individual_note: false, ...thread, notes } as Discussion)).toBe(state));
});
