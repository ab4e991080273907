import { can, type Permission } from '../../auth/permissions.ts';
import { roles, type Role } from '../../model/role.ts';
import { AppError } from '../../lib/errors.ts';

type Change = {
  /** Role of the actor. */
  by: Role;
  isSelf: boolean;
  from: Role;
  to: Role;
};

/** Only owners make or change owners, and nobody raises their own role. Throws FORBIDDEN. */
export function assertMayChangeRole({ by, isSelf, from, to }: Change): void {
  assertMayTouch(by, from);
  assertMayGive(by, to);
  if (isSelf && rank(to) > rank(from)) throw new AppError('FORBIDDEN', 'You cannot raise your own role.');
}

export function assertMayGive(by: Role, role: Role): void {
  if (role === 'owner' && by !== 'owner') throw new AppError('FORBIDDEN', 'Only an owner can make another owner.');
}

export function assertMayTouch(by: Role, role: Role): void {
  if (role === 'owner' && by !== 'owner') {
    throw new AppError('FORBIDDEN', 'Only an owner can change or remove an owner.');
  }
}

/** Checks the locked role again, as it may have been revoked since the request was authorized. */
export function assertStill(role: Role | undefined, permission: Permission): asserts role is Role {
  if (!role || !can(role, permission)) throw new AppError('FORBIDDEN', 'Your role does not allow this action.');
}

export function isLimitable(role: Role): boolean {
  return role !== 'owner' && role !== 'admin';
}

function rank(role: Role): number {
  return roles.length - roles.indexOf(role);
}
