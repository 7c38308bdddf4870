import { accessLevels } from '../../contract/conventions.js';
import type { Hook, HookTrigger } from '../../contract/hooks.js';
import type { Contract } from '../../contract/operations.js';
import { requirePermission, visibleProject } from '../api/access.js';
import { requestedPage, type Call, type HandlersOf } from '../api/context.js';
import { newestEvent } from '../hooks/events.js';
import { hookAddress } from '../hooks/rules.js';
import { badRequest, httpError, invalidFields, json, type Json, recordNotFound } from '../http/response.js';
import {
  deleteHook, hookOf, type HookRow, hooksOf, insertHook, type NewHook, updateHook,
} from '../repositories/hooks.js';
import type { ProjectRow } from '../repositories/world.js';

/** behavior: hooks.rights */
const ownProject = async (call: Call, id: number | string | null): Promise<ProjectRow> => {
  const { container, level } = await visibleProject(call, id);
  requirePermission(level >= accessLevels.maintainer);
  return container;
};

const ownHook = async (
  call: Call, { id, hook_id }: { readonly id: number | string | null; readonly hook_id: number | null },
): Promise<{ project: ProjectRow; hook: HookRow }> => {
  const project = await ownProject(call, id);
  const hook = hook_id === null ? undefined : await hookOf(call.queries, project.id, hook_id);
  if (!hook) throw recordNotFound();
  return { project, hook };
};

const nouns: Readonly<Record<HookTrigger, string>> = {
  note_events: 'notes', merge_requests_events: 'merge requests', issues_events: 'issues',
};

export const hookHandlers: HandlersOf<Contract['hooks']> = {
  list: async ({ id }, call) => {
    const project = await ownProject(call, id);
    const hooks = await hooksOf(call.queries, project.id);
    return requestedPage(call, hooks.map((hook) => hookJson(call, hook)));
  },
  get: async (path, call) => hookJson(call, (await ownHook(call, path)).hook),
  /** behavior: hooks.confidential-default */
  create: async ({ id, url, token, ...flags }, call) => {
    const project = await ownProject(call, id);
    const { note_events: notes, issues_events: issues } = flags;
    const hook: NewHook = {
      project_id: project.id, url: checkedUrl(call, url), token: token || null, uuid: call.hex(32),
      note_events: flag(notes, false), confidential_note_events: flag(flags.confidential_note_events, notes ?? false),
      merge_requests_events: flag(flags.merge_requests_events, false), issues_events: flag(issues, false),
      confidential_issues_events: flag(flags.confidential_issues_events, issues ?? false),
      enable_ssl_verification: flag(flags.enable_ssl_verification, true), created_at: call.now,
    };
    return hookJson(call, { ...hook, id: await insertHook(call.queries, hook) });
  },
  modify: async ({ id, hook_id, url, token, ...flags }, call) => {
    const { hook } = await ownHook(call, { id, hook_id });
    const given = Object.entries(flags).filter((entry): entry is [keyof typeof flags, boolean] =>
      entry[1] !== null && entry[1] !== undefined);
    const changes: Partial<NewHook> = {
      ...(url !== undefined && { url: checkedUrl(call, url) }),
      ...(token !== undefined && { token: token || null }),
      ...Object.fromEntries(given.map(([name, value]) => [name, Number(value)])),
    };
    if (Object.keys(changes).length > 0) await updateHook(call.queries, hook.id, changes);
    return hookJson(call, { ...hook, ...changes });
  },
  delete: async (path, call) => {
    const { hook } = await ownHook(call, path);
    await deleteHook(call.queries, hook.id);
  },
  /** behavior: hooks.test @throws HttpError 422 if the project has nothing to deliver */
  test: async ({ trigger, ...path }, call) => {
    const { project, hook } = await ownHook(call, path);
    const event = await newestEvent(call.queries, project, trigger as HookTrigger);
    if (!event) throw httpError(422, `Ensure the project has ${nouns[trigger as HookTrigger]}.`);
    call.addEvent({ ...event, hook: hook.id });
    return json({ message: '201 Created' });
  },
};

const flag = (given: boolean | null | undefined, otherwise: boolean): number => Number(given ?? otherwise);

/** @throws HttpError 400 (behavior: hooks.address) */
const checkedUrl = (call: Call, given: string | null): string => {
  const url = hookAddress(given ?? '');
  if (!url) throw badRequest('Invalid url given');
  if (call.hookRules.mayReach(url)) return given!;
  throw invalidFields({ url: [
    `is blocked: ${url.hostname} is not a loopback address. Start the server with --allow-hooks-to ${url.hostname}`,
  ] });
};

/** Without the secret (behavior: hooks.secret). */
const hookJson = (call: Call, hook: HookRow | (NewHook & Pick<HookRow, 'id'>)): Json<Hook> => {
  const until = call.hookRules.pausedUntil(hook.id);
  return json<Hook>({
    id: hook.id, url: hook.url, project_id: hook.project_id, created_at: hook.created_at,
    note_events: hook.note_events === 1, confidential_note_events: hook.confidential_note_events === 1,
    merge_requests_events: hook.merge_requests_events === 1,
    issues_events: hook.issues_events === 1, confidential_issues_events: hook.confidential_issues_events === 1,
    enable_ssl_verification: hook.enable_ssl_verification === 1,
    alert_status: until === null ? 'executable' : 'temporarily_disabled', disabled_until: until,
  });
};
