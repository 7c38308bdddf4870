import type { CurrentUser, Metadata, Version } from '../../contract/companions/shapes.js';
import type { Contract } from '../../contract/contract.js';
import type { Behaviour } from '../call.js';
import { json, jsonObject } from '../json.js';
import { userFields } from '../render/user.js';
import { serviceRevision, serviceVersion } from './version.js';

type Lookups = Contract['lookups'];

export const getVersion: Behaviour<Lookups['version']> = () =>
  json<Version>({ version: serviceVersion, revision: serviceRevision });

export const getMetadata: Behaviour<Lookups['metadata']> = () =>
  json<Metadata>({ version: serviceVersion, revision: serviceRevision, enterprise: true });

/** Who calls; that somebody is an administrator is shown to administrators. */
export const getUser: Behaviour<Lookups['user']> = (_, { caller, dialect }) => jsonObject<CurrentUser>({
  ...userFields(caller, dialect), ...(caller.admin && { is_admin: json(true) }),
});
