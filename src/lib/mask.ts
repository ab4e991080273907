const visibleDigits = 5;

/**
 * `+7******4567`: the country digit and the last four. Numbers that are too short to mask show nothing, and without a
 * leading `+` there is no country digit to show.
 */
export function maskPhone(phone: string | null): string | null {
  if (phone === null) return null;
  const digits = phone.replace(/\D/g, '');
  if (digits.length <= visibleDigits + 1) return '******';
  const country = phone.trim().startsWith('+') ? `+${digits[0]}` : '';
  return `${country}******${digits.slice(-4)}`;
}
