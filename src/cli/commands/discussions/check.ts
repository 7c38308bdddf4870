import * as Type from '@sinclair/typebox';
import { Option } from 'commander';
import type { Discussion } from '../../../contract/shapes/note.js';
import { readMarker } from '../../../wire/note-text.js';
import { readDuration } from '../../../wire/time-text.js';
import { nullable } from '../../../contract/shapes/scalars.js';
import type { App } from '../../app.js';
import { errorReason } from '../../changes/report.js';
import { withoutDeadline } from '../../service/connection/batch.js';
import { Problem, usage } from '../../command-line/failure.js';
import {
  proofMark, type ProofFlags, type Unproven, unprovenSummary, unprovenTest, type UnprovenTest,
} from '../../notes/fixes/gate.js';
import {
  acceptByOption, excludedResolver, type AcceptFlags, type ExcludedResolver,
} from '../../notes/filters/acceptance.js';
import { authorName, checkUsers, me } from '../../notes/filters/people.js';
import { filterFrom, threadPasses, withOwner, type Filter } from '../../notes/filters/filter.js';
import { isFiltered, withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { orUnread } from '../../notes/filters/unread.js';
import { defineCommand, handler, hideOptions, withRef } from '../../command-line/command.js';
import { agentOption, duration, type ListFlags, withListFlags } from '../../command-line/flags.js';
import { say, sayShown, wrappedText } from '../../terminal/io/messages.js';
import { painter, safeAddress } from '../../terminal/io/style.js';
import { groupedBy } from '../../../text/groups.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import { shellWord } from '../../../text/quoting.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { listPrinter, wholeList, type Listed } from '../../terminal/output/list-printer.js';
import { selectableNames, type View } from '../../terminal/output/view.js';
import { type RefFlags, resolvableKinds } from '../../command-line/ref.js';
import { isTemporary, nullIfFailed } from '../../service/connection/unsupported.js';
import { destinationOf, mergeRequestPath, openDestination, type Target } from '../../service/targets/target.js';
import { checkResolvable, checkServiceResolves, hasHiddenThreads, listed } from '../../service/targets/threads.js';
import { findingIn } from '../../notes/findings/finding.js';
import { namesInText } from '../../notes/findings/title.js';
import { showsPlaces, withPlaces, type PlacedThread } from '../../notes/places.js';
import { positionText } from '../../notes/position/position.js';
import { shortIds, threadName } from '../../notes/thread-id.js';
import { firstLine, levelTone, mayBeOpen, notePage, threadState, shownText } from '../../notes/views/note.js';
import { placedThreadView } from '../../notes/views/discussion.js';

interface Input extends ListFlags, RefFlags, FilterFlags, AcceptFlags, ProofFlags {
  readonly wait?: string;
}

type AddressedThread = PlacedThread & { readonly url: string | null };

const checkView: View<AddressedThread> = {
  ...placedThreadView,
  shape: Type.Object({ ...placedThreadView.shape['properties'], url: nullable(Type.String()) }),
};

export const discussionsCheckCommand = (app: App) =>
  hideOptions(withListFlags(withFilters(withRef(
    defineCommand('check', 'Exit with code 8 while threads are unresolved', [
      'discussions check mr/12 --accept-by others',
      'discussions check mr/12 --author bob --wait 10m',
      'discussions check mr/12 --json=id,url,notes',
    ], selectableNames(checkView)), resolvableKinds))), '--resolved', '--unresolved')
    .addOption(agentOption())
    .addOption(new Option('--wait <duration>', 'maximum time to wait for the threads to be resolved: 90s, 10m, 1h30m')
      .argParser(duration))
    .addOption(acceptByOption())
    .option('--proven', 'also exit with 8 if the commit that fixed a resolved thread is gone, or the lines are back')
    .option('--require-proof',
      'also exit with 8 if the author of the merge request resolved a thread of others without a proof')
    .action(handler<Input>((flags, ref?: string) => discussionsCheck(app, { ...flags, ref })));

const discussionsCheck = async (app: App, input: Input): Promise<void> => {
  if (input.resolved) throw usage('--resolved cannot be combined with `check`', 'remove --resolved');
  const print = listPrinter(app, input, checkView);
  const { unresolved: _, ...filters } = input;
  const given = await filterFrom(app, filters, orUnread);
  const destination = await destinationOf(app, input, input.ref);
  checkResolvable(destination);
  const target = await openDestination(app, input, destination);
  await checkUsers(target.client, input);
  const pending = {
    filter: await withOwner(given, target.client),
    onPath: input.path === undefined ? null : await filterFrom(app, { path: input.path }),
    excluded: await excludedResolver(target, input),
    unproven: await unprovenTest(app, target, input),
  };
  const found = await waitForThreads(app, input, target, pending);
  const shown = found.open.length > 0 && !input.sandbox ? await addPage(target) : target;
  if (chosenFormat(input) !== null) await print(withAddresses(app, input, shown, found), shown.web);
  else if (found.open.length > 0) await sayShown(app, input, await listText(app, found, shown));
  if (!isGreen(found)) throw new Problem('pending', summary(found, target), hintFor(input, found, shown));
  await say(app, input, nothingOpen(input, found, target));
};

interface Pending {
  readonly filter: Filter;
  readonly onPath: Filter | null;
  readonly excluded: ExcludedResolver;
  readonly unproven: UnprovenTest | null;
}

interface Found {
  /** Those resolved by somebody whose resolving does not count are open too. */
  readonly open: readonly Discussion[];
  readonly excluded: ExcludedResolver;
  readonly others: number;
  /** Whether the service says that some are open, and shows none. */
  readonly areOthersHidden: boolean;
  /** Whether any thread is on the path that is asked for; if none is, it may be misspelled. */
  readonly hasPath: boolean;
  /** Null unless proofs are asked for. */
  readonly unproven: Unproven | null;
}

const interval = 10_000;

const isGreen = ({ open, areOthersHidden }: Found): boolean => open.length === 0 && !areOthersHidden;

/** With `--wait`, ends when there are none, or when the duration has passed; until then the service may be away. */
const waitForThreads = async (app: App, input: Input, target: Target, pending: Pending): Promise<Found> => {
  const end = app.elapsed() + readDuration(input.wait ?? '0s')!;
  for (let isFirst = true; ; isFirst = false) {
    const found = await readOpen(input, target, pending).catch(async (error: unknown) => {
      app.signal.throwIfAborted();
      if (isFirst || !isTemporary(error) || app.elapsed() >= end) throw error;
      await say(app, input, `cannot read the threads of ${target.name}: ${errorReason(error as Error)}; trying again`);
      return null;
    });
    const left = end - app.elapsed();
    if (found && (isGreen(found) || left <= 0)) return found;
    if (isFirst) await say(app, input, `waiting: ${summary(found!, target)}`);
    await withoutDeadline(app, () => app.sleep(Math.min(interval, left)));
  }
};

const readOpen = async (input: Input, target: Target, pending: Pending): Promise<Found> => {
  const { filter, onPath, excluded, unproven } = pending;
  const all = await listed(target).complete();
  await checkServiceResolves(target, all);
  const found = await unproven?.(all) ?? null;
  const open = all.filter((thread) => mayBeOpen(thread) || excluded(thread) !== null || found?.pending.has(thread.id));
  const passing = isNarrowed(input) ? open.filter((one) => one.notes.length === 0 || threadPasses(filter, one)) : open;
  // One that is open and shown explains what the merge request says.
  const mayBeHidden = passing.length === 0 && !all.some(mayBeOpen);
  return {
    open: passing, excluded, others: open.length - passing.length,
    areOthersHidden: mayBeHidden && await hasHiddenThreads(target),
    hasPath: onPath === null || all.some((thread) => threadPasses(onPath, thread)), unproven: found,
  };
};

/** If only the number of the project is known, the merge request has the address. */
const addPage = async (target: Target): Promise<Target> => {
  const { client, kind, web } = target;
  if (web !== null || kind !== 'merge_request') return target;
  const noteable = (await nullIfFailed(client.lookups.mergeRequest(mergeRequestPath(target))))?.web_url;
  return typeof noteable === 'string' ? { ...target, web: { noteable, container: noteable.split('/-/')[0]! } } : target;
};

const withAddresses = (app: App, input: Input, target: Target, { open, unproven }: Found): Listed<AddressedThread> => {
  const threads = wholeList(open.map((thread) => ({
    ...thread, url: notePage(thread.notes[0]?.id, target),
    ...unproven && { proof: unproven.proofs.get(thread.id) ?? 'none' as const },
  })));
  return showsPlaces(app, input) ? withPlaces(app, target, input, threads) : threads;
};

/** A longer list would hide the end of a log. */
const mostListed = 20;

const longestLine = 200;

/** Of more threads, the command in the hint names none. */
const mostNamed = 5;

const listText = async (app: App, found: Found, target: Target): Promise<string> => {
  const { open } = found;
  const keys = repeatedKeys(open);
  const paint = await painter(app.err.colors);
  const rows = open.slice(0, mostListed).map(async (thread) => {
    const { id, notes: [note] } = thread;
    const body = shownText(note?.body);
    const { tool, rule, place: named } = namesInText(body, !note?.position);
    const place = positionText(note?.position) || (named ?? target.name);
    const start = `${plainLine(`${place}:${markOf(thread, found)} ${note?.author.username ?? ''}:`)} `;
    const words = plainLine(firstLine(body));
    const [level = ''] = /^(?:error|warning|note)(?=: )/.exec(words) ?? [];
    const key = keys.get(thread);
    const source = [[tool, rule].filter((one) => one !== null).join(' '), key === undefined ? '' : `key ${key}`]
      .flatMap((one) => one === '' ? [] : cut(plainLine(one))).join(', ');
    const shown = cut(start + words) + (source === '' ? '' : ` [${source}]`);
    const end = start.length + level.length;
    const painted = paint(levelTone(level), shown.slice(start.length, end));
    const row = shown.slice(0, start.length) + painted + shown.slice(end);
    const address = `  ${safeAddress(notePage(note?.id, target) ?? '') ?? threadName(app, id)}`;
    return [await wrappedText(app.err, row, '    '), await wrappedText(app.err, address)];
  });
  const left = open.length - mostListed;
  const more = `${left} more: run \`colloquy discussions list ${target.name} --unresolved\` to list all`;
  const end = left > 0 ? [await wrappedText(app.err, more)] : [];
  return [...(await Promise.all(rows)).flat(), ...end].join('\n');
};

/** The keys of findings that `notes post` posted with several. */
const repeatedKeys = (open: readonly Discussion[]): Map<Discussion, string> => {
  const posts = open.flatMap((thread) => {
    const { marker } = readMarker(String(thread.notes[0]?.body));
    return marker?.['key'] === undefined || marker['finding'] === undefined ? []
      : { thread, key: marker['key'], name: findingIn(marker) };
  });
  const repeated = [...groupedBy(posts, ({ name }) => name).values()]
    .filter((same) => new Set(same.map(({ key }) => key)).size > 1);
  return new Map(repeated.flat().map(({ thread, key }) => [thread, key]));
};

const cut = (text: string): string =>
  text.length > longestLine ? `${text.slice(0, longestLine).toWellFormed()}…` : text;

/** Why a thread counts that is resolved. */
const markOf = (thread: Discussion, { excluded, unproven }: Found): string => {
  if (unproven?.pending.has(thread.id)) return proofMark(unproven.proofs.get(thread.id));
  const resolver = excluded(thread);
  return resolver === null ? '' : ` resolved by ${resolver}:`;
};

const isNarrowed = ({ unresolved: _, ...flags }: FilterFlags): boolean => isFiltered(flags);

/** `no unresolved threads by ada on mr/12; 4 others are open`. */
const nothingOpen = (input: Input, { others, hasPath }: Found, { name }: Target): string => {
  const { author, mine, unresolved: _, ...more } = input;
  if (!isNarrowed(input)) return `no unresolved threads on ${name}`;
  const authors = mine ? [me] : (author ?? []).map(authorName);
  const names = authors.map((one) => one === me ? 'you' : plainLine(one));
  const nothing = isFiltered(more) ? `no unresolved threads on ${name} pass the filters`
    : `no unresolved threads by ${names.join(' or ')} on ${name}`;
  return `${nothing}${hasPath ? '' : `; no thread is on ${plainLine(more.path ?? '')}`}${othersText(others)}`;
};

const othersText = (others: number): string =>
  others === 0 ? '' : `; ${counted(others, 'other is', 'others are')} open`;

const hintFor = ({ sandbox, acceptBy }: Input, found: Found, { name, web }: Target): string | null => {
  if (found.areOthersHidden) {
    return 'use a token that can read all threads, such as one of a reporter, who sees internal notes';
  }
  const unresolved = found.open.filter((thread) => threadState(thread) !== 'resolved');
  const resolved = resolvedBefore(found);
  const unproven = found.open.filter(({ id }) => found.unproven?.pending.has(id));
  const command = (verb: string, ...words: string[]) =>
    ['colloquy discussions', verb, name, ...words, ...sandbox ? ['--sandbox'] : []].join(' ');
  const answer = acceptBy !== 'others' ? 'answer and resolve'
    : 'let somebody else than the author of the merge request and the owner of the token resolve';
  const again = ['unresolve', 'resolve'].map((verb) => command(verb, threadWords(resolved))).join(' && ');
  const word = ({ length }: readonly Discussion[], one: string, several: string) => length === 1 ? one : several;
  const pages = web ? `${word(unresolved, 'on its page', 'on their pages')}, or ` : '';
  const rest = unresolved.length === 0 ? word(resolved, 'it', 'them') : word(resolved, 'the other', 'the others');
  const proofs = `name the ${word(unproven, 'commit that fixes it', 'commits that fix them')}: `;
  return [
    ...unresolved.length === 0 ? []
      : [`${answer} ${word(unresolved, 'it', 'them')} ${pages}with \`${command('triage')}\``],
    ...unproven.length === 0 ? []
      : [`${proofs}\`${command('resolve', threadWords(unproven), '--fixed-by SHA')}\``],
    ...resolved.length === 0 ? [] : [`let somebody else reopen and resolve ${rest}: \`${again}\``],
    ...repeatedKeys(found.open).size === 0 ? [] : ['after a rename, resolve the threads of the old key with the token '
      + `of the job: \`colloquy notes post ${name} --key KEY --from lines --allow-empty /dev/null\``],
  ].join('\n') || null;
};

const threadWords = (threads: readonly Discussion[]): string =>
  threads.length > mostNamed ? 'THREAD…' : [...shortIds(threads.map(({ id }) => id)).values()].map(shellWord).join(' ');

/** Threads that are pending only because of who resolved them. */
const resolvedBefore = ({ open, unproven }: Found): Discussion[] =>
  open.filter((thread) => threadState(thread) === 'resolved' && !unproven?.pending.has(thread.id));

/** `2 unresolved threads on mr/12: 2 by ada; 1 thread of mr/12 resolved by bob, the owner of the token`. */
const summary = (found: Found, { name }: Target): string => {
  const { open: pending, others, areOthersHidden, unproven } = found;
  if (areOthersHidden) return `threads that this token cannot read are open on ${name}`;
  const open = pending.filter((thread) => threadState(thread) !== 'resolved');
  const proofs = pending.flatMap(({ id }) => unproven?.pending.has(id) ? unproven.proofs.get(id) ?? [] : []);
  const resolved = resolvedBefore(found);
  const resolvers = [...new Set(resolved.map(found.excluded))];
  return [
    ...open.length === 0 ? [] : [`${counted(open.length, 'unresolved thread')} on ${name}: ${byAuthor(open)}`],
    ...unprovenSummary(proofs, name),
    ...resolved.length === 0 ? []
      : [`${counted(resolved.length, 'thread')} of ${name} resolved by ${resolvers.join(', and ')}`],
  ].join('; ') + othersText(others);
};

const byAuthor = (open: readonly Discussion[]): string => {
  const groups = groupedBy(open, ({ notes: [note] }) => note ? plainLine(note.author.username) : 'an unknown author');
  return [...groups].sort(([, a], [, b]) => b.length - a.length)
    .map(([author, { length }]) => `${length} by ${author}`).join(', ');
};
