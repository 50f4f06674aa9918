import { expect, test } from 'vitest'
import { countedAddress } from './visitor.ts'

test('an IPv4 address counts for itself', () => expect(countedAddress('203.0.113.7')).toBe('203.0.113.7'))

test.each(['::ffff:203.0.113.7', '::FFFF:203.0.113.7', '0:0:0:0:0:ffff:cb00:7107'])('%s is that IPv4 address', (address) =>
  expect(countedAddress(address)).toBe('203.0.113.7'),
)

test.each(['2001:db8:1:2::1', '2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:0db8:0001:0002:0:0:0:9', '2001:db8:1:2::'])(
  '%s counts for its network',
  (address) => expect(countedAddress(address)).toBe('2001:db8:1:2::/64'),
)

test.each([
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is of another network', (address, network) => expect(countedAddress(address)).toBe(network))

test('what a proxy says that is no address is taken as it is', () => {
  expect(countedAddress('unknown')).toBe('unknown')
})
