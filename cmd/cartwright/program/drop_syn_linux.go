package program

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// The flags of a TCP packet that opens a connection: SYN is set and ACK is not.
const (
	tcpFlagsOffset = 13
	tcpSynAckMask  = 0x12
	tcpSyn         = 0x02
)

// dropNewConnections makes the kernel drop packets that open new connections to l, while connections in
// progress still complete. Clients resend after a second, and are refused if l is closed by then.
func dropNewConnections(l net.Listener) error {
	of, ok := l.(syscall.Conn)
	if !ok {
		return errors.ErrUnsupported
	}
	raw, err := of.SyscallConn()
	if err != nil {
		return err
	}
	const whole = 0xffff
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: tcpFlagsOffset},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: tcpSynAckMask},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: tcpSyn, Jt: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: whole},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
	}
	var set error
	err = raw.Control(func(fd uintptr) {
		set = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}) //nolint:gosec // it has five instructions
	})
	return errors.Join(err, set)
}
