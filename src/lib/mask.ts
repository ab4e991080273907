const visibleDigits = 5;
const maskedShape = /^(?:\+\d)?\*{6}(?:\d{4})?$/;

/**
 * `+7******4567`: the country digit and the last four. Numbers that are too short to mask show nothing, and without a
 * leading `+` there is no country digit to show. What is masked already stays as it is.
 */
export function maskPhone(phone: string | null): string | null {
  if (phone === null || maskedShape.test(phone)) return phone;
  const digits = phone.replace(/\D/g, '');
  if (digits.length <= visibleDigits + 1) return '******';
  const country = phone.trim().startsWith('+') ? `+${digits[0]}` : '';
  return `${country}******${digits.slice(-4)}`;
}
