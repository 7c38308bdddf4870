import { Type, type Static } from '@sinclair/typebox';
import { Epic } from '../shapes/epic.js';
import { nullable } from '../shapes/scalars.js';
import { User } from '../shapes/user.js';

export const Version = Type.Object({ version: Type.String(), revision: Type.String() }, { $id: 'Version' });
export type Version = Static<typeof Version>;

export const Metadata = Type.Object({
  version: Type.String(), revision: Type.String(), enterprise: Type.Boolean(),
}, { $id: 'Metadata' });
export type Metadata = Static<typeof Metadata>;

export const CurrentUser = Type.Composite([User, Type.Object({ is_admin: Type.Optional(Type.Boolean()) })],
  { $id: 'CurrentUser' });
export type CurrentUser = Static<typeof CurrentUser>;

const Access = nullable(Type.Object({ access_level: Type.Integer() }));

export const Project = Type.Object({
  id: Type.Integer(), name: Type.String(), path: Type.String(), name_with_namespace: Type.String(),
  path_with_namespace: Type.String(), description: nullable(Type.String()), default_branch: nullable(Type.String()),
  visibility: Type.String(), web_url: Type.String(), archived: Type.Boolean(),
  permissions: Type.Object({ project_access: Access, group_access: Access }),
}, { $id: 'Project' });
export type Project = Static<typeof Project>;

export const Group = Type.Object({
  id: Type.Integer(), name: Type.String(), path: Type.String(), full_path: Type.String(),
  visibility: Type.String(), web_url: Type.String(), parent_id: nullable(Type.Integer()),
}, { $id: 'Group' });
export type Group = Static<typeof Group>;

export const EpicDetails = Type.Object({
  ...Epic.properties, confidential: Type.Boolean(), state: Type.String(), web_url: Type.String(),
}, { $id: 'EpicDetails' });
export type EpicDetails = Static<typeof EpicDetails>;
