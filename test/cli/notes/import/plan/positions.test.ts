import { describe, expect, it } from 'vitest';
import { planThreads } from '../../../../../src/cli/notes/import/plan.js';
import type { Position } from '../../../../../src/contract/shapes/position.js';
import { json, unknownRoute } from '../../../../support/answers.js';
import type { WorldOptions } from '../../../../support/app.js';
import { exported, threadsOf } from '../../../../support/exported-threads.js';
import { openTarget } from '../../../../support/targets.js';
import { refs } from '../../../../support/worlds.js';

const position = (parts: Partial<Record<'base_sha' | 'start_sha' | 'head_sha', string>> = {}): Position => ({
  base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text',
  old_path: 'app.js', new_path: 'app.js', old_line: null, new_line: 2, ...parts,
});
const ofCommit = position({ base_sha: refs.parent, start_sha: refs.parent, head_sha: refs.commit });

/** The positions that new threads get, and the requests for them. */
const planned = async (word: string, positions: readonly Position[], options: WorldOptions = {}) => {
  const { target, sent } = await openTarget(word, options);
  const threads = threadsOf(...positions.map((one, i) => exported('abcd'[i]!, [{ position: one }])), exported('e', [{}]));
  const steps = await planThreads(target, threads, new Map());
  return { given: steps.slice(0, positions.length).map((step) => step.position), sent };
};

/** Whether each position refers to a version of the diff. */
const known = async (word: string, positions: readonly Position[], options: WorldOptions = {}) => {
  const { given, sent } = await planned(word, positions, options);
  return { known: given.map((one) => one !== null), requests: sent.map((request) => request.target.split('?')[0]!.split('/').at(-1)) };
};

describe('the versions of a diff', () => {
  it('are those with the same three commits', async () => {
    const other = 'f'.repeat(40);
    expect((await known('!1', [position(), position({ base_sha: other }), position({ start_sha: other }), position({ head_sha: other })])).known)
      .toEqual([true, false, false, false]);
  });

  it('include the older ones of a merge request', async () => {
    const [older, newer] = ['1'.repeat(40), '2'.repeat(40)];
    const listed = [newer, older].map((head, i) => ({
      id: 60 - i, head_commit_sha: head, base_commit_sha: refs.base, start_commit_sha: refs.start, created_at: '2024-05-01T11:00:00.000Z',
      merge_request_id: 50, state: 'collected', real_size: '1',
    }));
    const answer: WorldOptions['answer'] = ({ target }) => target.includes('/versions') ? json(200, listed) : undefined;
    expect((await known('!1', [position({ head_sha: older }), position({ head_sha: newer }), position()], { answer })).known).toEqual([true, true, false]);
  });

  it('are the current one if the service lists none', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => target.includes('/versions') ? unknownRoute : undefined;
    expect(await known('!1', [position()], { answer })).toEqual({ known: [true], requests: ['versions', '1'] });
  });

  it('are none if the service reports no commits at all', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => /\/(versions|merge_requests\/1)(\?|$)/.test(target) ? unknownRoute : undefined;
    expect((await known('!1', [position()], { answer })).known).toEqual([false]);
  });

  it('of a commit are the commit and its parent', async () => {
    expect((await known(`@${refs.commit}`, [ofCommit, position()])).known).toEqual([true, false]);
  });

  it('are not requested without a position, or for a noteable without a diff', async () => {
    expect((await known('!1', [])).requests).toEqual([]);
    expect(await known('#1', [position()])).toEqual({ known: [false], requests: [] });
  });
});

describe('a stored position as a parameter', () => {
  it('has the parts with a value, and nothing that the service added', async () => {
    const stored = { ...position(), line_range: null, old_line: null, x: null, line_code: 'abc_1_2' } as unknown as Position;
    expect((await planned('!1', [stored])).given[0]).toEqual({
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2,
    });
  });

  it('keeps ranges, and points on images, also at 0,0', async () => {
    const line_range = { start: { line_code: 'a_1_1', type: 'new' as const }, end: { line_code: 'a_2_2', type: 'new' as const } };
    expect((await planned('!1', [{ ...position(), line_range } as Position])).given[0]).toMatchObject({ line_range });
    const { base_sha, start_sha, head_sha } = position();
    const image: Position = { base_sha, start_sha, head_sha, position_type: 'image', old_path: 'a.png', new_path: 'a.png', x: 0, y: 0, width: 9, height: 9 };
    expect((await planned('!1', [image])).given).toEqual([image]);
  });
});
