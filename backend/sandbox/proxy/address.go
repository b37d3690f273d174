package proxy

import (
	"net"
	"net/netip"
	"slices"
)

// class is the class of an IP address, which determines whether the proxy connects to it.
type class int

const (
	public  class = iota
	private       // in a private network
	local         // this computer
	never         // not the address of a host, or one that no command may reach
)

var (
	privateRanges = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fec0::/10")
	// The ranges 192.0.0.0/24, 100::/64 and 64:ff9b:1::/48 are reserved for special purposes. Teredo addresses
	// (2001::/32) contain other addresses. The individual addresses are those of cloud metadata services outside the
	// blocked ranges.
	neverRanges = prefixes("0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"::/128", "fe80::/10", "ff00::/8", "100::/64", "64:ff9b:1::/48", "2001::/32",
		"100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::254/128")
	// mappings are IPv6 ranges whose addresses contain an IPv4 address. The value is the number of bytes before the
	// IPv4 address.
	mappings = map[netip.Prefix]int{
		netip.MustParsePrefix("::/96"):        12,
		netip.MustParsePrefix("64:ff9b::/96"): 12,
		netip.MustParsePrefix("2002::/16"):    2,
	}
)

func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

// classify returns the class of an address. own holds the addresses of this computer.
func classify(addr netip.Addr, own []netip.Addr) class {
	if addr.Zone() != "" {
		return never
	}
	addr = addr.Unmap()
	in := func(ranges []netip.Prefix) bool {
		return slices.ContainsFunc(ranges, func(p netip.Prefix) bool { return p.Contains(addr) })
	}
	switch {
	case !addr.IsValid(), in(neverRanges):
		return never
	case addr.IsLoopback(), slices.Contains(own, addr):
		return local
	case in(privateRanges):
		return private
	}
	for prefix, at := range mappings {
		if prefix.Contains(addr) {
			b := addr.As16()
			return classify(netip.AddrFrom4([4]byte(b[at:at+4])), own)
		}
	}
	return public
}

// ownAddresses returns the addresses of this computer's network interfaces.
func ownAddresses() []netip.Addr {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	var own []netip.Addr
	for _, a := range all {
		if n, is := a.(*net.IPNet); is {
			if addr, ok := netip.AddrFromSlice(n.IP); ok {
				own = append(own, addr.Unmap())
			}
		}
	}
	return own
}
