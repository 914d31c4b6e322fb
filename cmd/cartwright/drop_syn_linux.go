package main

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// What a packet that asks for a new connection looks like: of its flags, SYN is set and ACK is not.
const (
	tcpFlagsOffset = 13
	tcpSynAckMask  = 0x12
	tcpSyn         = 0x02
)

// dropNewConnections has the kernel drop whoever asks l for a new connection, while those that asked before still get in. Clients ask
// again after a second, and are refused if l is closed by then.
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
		set = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}) //nolint:gosec // there are five
	})
	return errors.Join(err, set)
}
