/** A command that works as it is, at the address where the page was opened. */
export function curlExample({ token, orgId }: { token: string; orgId: string }): string {
  return [
    `curl "${location.origin}/api/v1/records?pageSize=5" \\`,
    `  -H "Authorization: Bearer ${token}" \\`,
    `  -H "X-Selected-Org-ID: ${orgId}"`,
  ].join('\n');
}
