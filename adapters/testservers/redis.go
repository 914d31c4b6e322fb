package testservers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// StartRedis starts a Redis that syncs its append-only file every second.
func StartRedis(ctx context.Context) (*Server, error) {
	return startRedis(ctx, "--appendonly", "yes", "--databases", "512")
}

// startRedis starts a Redis with additional settings.
func startRedis(ctx context.Context, settings ...string) (*Server, error) {
	s, err := newRedis()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(s.address())
	if err != nil {
		return nil, err
	}
	s.args = append([]string{"--bind", host, "--port", port, "--dir", s.dir, "--save", ""}, settings...)
	return s, s.Start(ctx)
}

// newRedis is a Redis or sentinel that is not started yet.
func newRedis() (*Server, error) {
	binary, err := findBinary("redis-server")
	if err != nil {
		return nil, err
	}
	s, err := newServer("redis", binary, durableTempDir)
	if err != nil {
		return nil, err
	}
	host, port, err := freeHostPort()
	if err != nil {
		return nil, err
	}
	s.URL = "redis://" + net.JoinHostPort(host, port) + "/0"
	client := s.client()
	s.ping = func(ctx context.Context) error { return client.Ping(ctx).Err() }
	return s, nil
}

// address is the host:port of a Redis.
func (s *Server) address() string {
	return strings.TrimSuffix(strings.TrimPrefix(s.URL, "redis://"), "/0")
}

func (s *Server) client() *redis.Client {
	return redis.NewClient(&redis.Options{Addr: s.address(), MaxRetries: -1})
}

// Flush deletes all data of a Redis.
func (s *Server) Flush(ctx context.Context) error { return s.client().FlushAll(ctx).Err() }

// RedisCluster is a Redis cluster of masters without replicas.
type RedisCluster struct {
	URL   string // redis+cluster://…, which names one node
	Nodes []*Server
}

// clusterSlots is the number of slots of every cluster.
const clusterSlots = 16384

// StartRedisCluster starts n nodes that share all slots, and waits until all of them agree.
func StartRedisCluster(ctx context.Context, n int) (_ *RedisCluster, err error) {
	c := &RedisCluster{}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Stop())
		}
	}()
	var first []any // the node that the others meet
	for i := range n {
		_, bus, err := freeHostPort()
		if err != nil {
			return nil, err
		}
		s, err := startRedis(ctx, "--cluster-enabled", "yes", "--cluster-port", bus, "--cluster-node-timeout", "2000")
		if err != nil {
			return nil, err
		}
		c.Nodes = append(c.Nodes, s)
		client := s.client()
		if err := client.ClusterAddSlotsRange(ctx, i*clusterSlots/n, (i+1)*clusterSlots/n-1).Err(); err != nil {
			return nil, err
		}
		if i == 0 {
			host, port, err := net.SplitHostPort(s.address())
			if err != nil {
				return nil, err
			}
			c.URL, first = "redis+cluster://"+s.address(), []any{"CLUSTER", "MEET", host, port, bus}
		} else if err := client.Do(ctx, first...).Err(); err != nil {
			return nil, err
		}
	}
	for _, s := range c.Nodes {
		client := s.client()
		err := waitUntil(ctx, func() (bool, error) {
			info, err := client.ClusterInfo(ctx).Result()
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d", n)), err
		})
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Stop ends all nodes.
func (c *RedisCluster) Stop() error { return stopAll(c.Nodes) }

// RedisSentinel is a master with a replica and one sentinel, which promotes the replica when the master
// fails.
type RedisSentinel struct {
	URL                       string // redis+sentinel://…?master_name=main
	Master, Replica, Sentinel *Server
}

// StartRedisSentinel waits until a failover is possible.
func StartRedisSentinel(ctx context.Context) (_ *RedisSentinel, err error) {
	s := &RedisSentinel{}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	if s.Master, err = startRedis(ctx, "--repl-diskless-sync-delay", "0"); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(s.Master.address())
	if err != nil {
		return nil, err
	}
	if s.Replica, err = startRedis(ctx, "--replicaof", host+" "+port); err != nil {
		return nil, err
	}
	if s.Sentinel, err = startSentinel(ctx, host+" "+port); err != nil {
		return nil, err
	}
	s.URL = "redis+sentinel://" + s.Sentinel.address() + "?master_name=main"
	replica, sentinel := s.Replica.client(), redis.NewSentinelClient(&redis.Options{Addr: s.Sentinel.address()})
	return s, waitUntil(ctx, func() (bool, error) {
		link, err := replica.Info(ctx, "replication").Result()
		if err != nil {
			return false, err
		}
		known, err := sentinel.Replicas(ctx, "main").Result()
		return strings.Contains(link, "master_link_status:up") && len(known) == 1 && known[0]["flags"] == "slave" &&
			known[0]["master-link-status"] == "ok", err
	})
}

func startSentinel(ctx context.Context, master string) (*Server, error) {
	s, err := newRedis()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(s.address())
	if err != nil {
		return nil, err
	}
	settings := strings.Join([]string{
		"bind " + host, "port " + port, "dir " + s.dir, "sentinel monitor main " + master + " 1",
		"sentinel down-after-milliseconds main 500", "sentinel failover-timeout main 3000", "",
	}, "\n")
	file := filepath.Join(s.dir, "sentinel.conf") // the sentinel writes its state into it
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		return nil, err
	}
	if s.credential != nil {
		if err := os.Chown(file, int(s.credential.Uid), int(s.credential.Gid)); err != nil {
			return nil, err
		}
	}
	s.args = []string{file, "--sentinel"}
	return s, s.Start(ctx)
}

// Stop ends all three.
func (s *RedisSentinel) Stop() error { return stopAll([]*Server{s.Sentinel, s.Replica, s.Master}) }

func stopAll(servers []*Server) error {
	var errs []error
	for _, s := range servers {
		if s != nil && s.cmd != nil {
			errs = append(errs, s.Stop())
		}
	}
	return errors.Join(errs...)
}

// waitUntil polls until holds is true or ctx ends.
func waitUntil(ctx context.Context, holds func() (bool, error)) error {
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		ok, err := holds()
		if ok && err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}
