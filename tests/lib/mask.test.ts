import { describe, expect, it } from 'vitest';
import { maskPhone } from '../../src/lib/mask.ts';

describe('maskPhone', () => {
  it.each([
    ['+71234564567', '+7******4567'],
    ['+44 7700 900123', '+4******0123'],
    ['  +1 (415) 555-0123 ', '+1******0123'],
    ['84951234567', '******4567'],
    ['0044 7700 900123', '******0123'],
    ['+1-415-555-0123 ext. 9', '+1******1239'],
  ])('leaves of %s only %s', (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });

  it.each(['', '+', '1', '12345', '123456', '+12 345', 'sip:alice@example.com', 'anonymous', '٠١٢٣٤٥٦٧٨٩'])(
    'leaves nothing of %j, which has too little to hide',
    (phone) => {
      expect(maskPhone(phone)).toBe('******');
    },
  );

  it('shows five digits at most, whatever comes', () => {
    for (let length = 0; length <= 30; length += 1) {
      const masked = maskPhone(`+${'9'.repeat(length)}`) ?? '';
      expect(masked.replace(/\D/g, '').length).toBeLessThanOrEqual(5);
    }
  });

  it.each(['+7******4567', '******4567', '******'])('leaves %s as it is, which is masked already', (masked) => {
    expect(maskPhone(masked)).toBe(masked);
  });

  it('leaves nothing where there is nothing', () => {
    expect(maskPhone(null)).toBeNull();
  });
});
