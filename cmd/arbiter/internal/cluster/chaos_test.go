package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"arbiter/interp/piece"
)

// This file runs a cluster as processes, and takes it apart while it works.

var (
	chaosFor     = flag.Duration("chaos", 0, "let random faults happen for so long, one sweep after another; 0: each kind of fault once")
	chaosWorkers = flag.Int("chaos-workers", 4, "how many workers take part")
	chaosDisk    = flag.String("chaos-disk", "", "a folder on a small disk for the third server, which is filled up now and then")
	chaosSeed    = flag.Uint64("chaos-seed", 1, "the seed of the random faults")
)

// roleVariable makes the test program play a part, as a process of its own.
const roleVariable = "ARBITER_CHAOS_ROLE"

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		if err := playRole(role); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// jumpingClock is hours off, and differently each time.
func jumpingClock() time.Time {
	return time.Now().Round(0).Add(time.Duration(rand.Int64N(int64(48*time.Hour))) - 24*time.Hour)
}

func playRole(role string) error {
	args := strings.Fields(os.Getenv(roleVariable + "_ARGS"))
	ctx := context.Background()
	switch role {
	case "server": // name, client port, route port, the ports at which it finds the others, folder
		var routes []string
		for _, port := range strings.Split(args[3], ",") {
			routes = append(routes, "nats://127.0.0.1:"+port)
		}
		client, _ := strconv.Atoi(args[1])
		route, _ := strconv.Atoi(args[2])
		s, err := server.NewServer(&server.Options{
			ServerName: args[0], Host: "127.0.0.1", Port: client, NoSigs: true, NoLog: true, JetStream: true, StoreDir: args[4], JetStreamMaxStore: 1 << 30, JetStreamMaxMemory: 64 << 20,
			// Nobody is told an address that leads past the proxies: no client, and no other server.
			Cluster: server.ClusterOpts{Name: "chaos", Host: "127.0.0.1", Port: route, NoAdvertise: true, Advertise: "127.0.0.1:1"}, Routes: server.RoutesFromStr(strings.Join(routes, ",")),
		})
		if err != nil {
			return err
		}
		s.Start()
		s.WaitForShutdown()
		return nil
	case "worker": // addresses
		c, err := Connect(ctx, Options{URL: args[0], Lease: chaosLease, Wait: true})
		if err != nil {
			return err
		}
		w := &Worker{Program: testProgram, Build: testBuild(), Cores: 1, Clock: jumpingClock}
		wait, err := w.Start(ctx, c)
		if err != nil {
			return err
		}
		return wait()
	case "helper": // the folder of a server of another process
		c, err := Local(ctx, LocalOptions{Dir: args[0], Join: true})
		if err != nil {
			return err
		}
		w := &Worker{Program: testProgram, Build: testBuild(), Cores: 1}
		wait, err := w.Start(ctx, c)
		if err != nil {
			return err
		}
		return wait()
	case "coordinator": // addresses, sweep
		c, err := Connect(ctx, Options{URL: args[0], Lease: chaosLease, Wait: true})
		if err != nil {
			return err
		}
		s, err := c.Load(ctx, args[1])
		if err != nil {
			return err
		}
		return s.Run(ctx, RunOptions{Build: testBuild(), Clock: jumpingClock, Patience: 5 * time.Minute})
	}
	return errors.New("no such role")
}

// chaosLease is short, so that what a killed worker held is soon given to another.
const chaosLease = 2 * time.Second

// chaosPatience is how long one step may take on a machine that has other things to do.
const chaosPatience = 3 * time.Minute

// process is a process of the cluster.
type process struct {
	role, args string
	cmd        *exec.Cmd
	done       chan struct{} // closed when it has ended
	err        error
}

// town is a cluster of processes.
type town struct {
	testing.TB
	servers     [3]*process
	clients     [3]int       // ports
	proxies     [3]*proxy    // from clients to a server
	routes      [3][3]*proxy // from a server to another
	workers     []*process
	coordinator *process
}

func (c *town) start(role string, args ...any) *process {
	c.Helper()
	self, err := os.Executable()
	if err != nil {
		c.Fatal(err)
	}
	p := &process{role: role, args: strings.TrimSpace(fmt.Sprintln(args...))}
	p.cmd = exec.Command(self)
	p.cmd.Env = append(os.Environ(), roleVariable+"="+role, roleVariable+"_ARGS="+p.args)
	p.cmd.Stdout, p.cmd.Stderr = os.Stderr, os.Stderr
	if err := p.cmd.Start(); err != nil {
		c.Fatal(err)
	}
	p.done = make(chan struct{})
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	c.Cleanup(func() { p.kill() })
	return p
}

// kill ends a process with no chance to do anything, and waits until it is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// freePorts returns ports of the loopback that nobody uses.
func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// newTown starts three servers.
func newTown(t testing.TB) *town {
	c := &town{TB: t}
	ports := freePorts(t, 6)
	copy(c.clients[:], ports[:3])
	dir := t.TempDir()
	for i := range c.servers {
		var others []string
		for k := range c.servers {
			if k != i {
				c.routes[i][k] = newProxy(t, ports[3+k])
				others = append(others, strconv.Itoa(c.routes[i][k].port))
			}
		}
		folder := filepath.Join(dir, fmt.Sprint("s", i))
		if i == 2 && *chaosDisk != "" {
			folder = *chaosDisk
		}
		c.servers[i] = c.start("server", fmt.Sprint("s", i), ports[i], ports[3+i], strings.Join(others, ","), folder)
		c.proxies[i] = newProxy(t, ports[i])
	}
	return c
}

// direct are the addresses of the servers, and behind those of proxies that can be cut.
func (c *town) direct() string {
	return fmt.Sprintf("nats://127.0.0.1:%d,nats://127.0.0.1:%d,nats://127.0.0.1:%d", c.clients[0], c.clients[1], c.clients[2])
}

func (c *town) behind() string {
	return fmt.Sprintf("nats://127.0.0.1:%d,nats://127.0.0.1:%d,nats://127.0.0.1:%d", c.proxies[0].port, c.proxies[1].port, c.proxies[2].port)
}

// restart starts a process again that was killed.
func (c *town) restart(p *process) *process { return c.start(p.role, p.args) }

// proxy passes connections on, until it is cut, or keeps what it should pass on.
type proxy struct {
	port  int
	mu    sync.Mutex
	moved *sync.Cond // when still ends
	cut   bool
	still bool
	open  []net.Conn
}

func newProxy(t testing.TB, to int) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p := &proxy{port: l.Addr().(*net.TCPAddr).Port}
	p.moved = sync.NewCond(&p.mu)
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", to))
			p.mu.Lock()
			if err != nil || p.cut {
				near.Close()
				if far != nil {
					far.Close()
				}
				p.mu.Unlock()
				continue
			}
			p.open = append(p.open, near, far)
			p.mu.Unlock()
			go p.pass(near, far)
			go p.pass(far, near)
		}
	}()
	return p
}

func (p *proxy) pass(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		p.mu.Lock()
		for p.still {
			p.moved.Wait()
		}
		p.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// sever cuts all connections, and lets nobody through until it is mended.
func (p *proxy) sever(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	if cut {
		for _, c := range p.open {
			c.Close()
		}
		p.open = nil
	}
}

// hush lets nothing through, without a word to either end, until it is mended: then comes what was kept.
func (p *proxy) hush(still bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.still = still
	p.moved.Broadcast()
}

// part cuts a server off from the other servers, at once or silently, and mends it.
func (c *town) part(i int, silently, parted bool) {
	for k := range c.servers {
		if k == i {
			continue
		}
		for _, p := range []*proxy{c.routes[i][k], c.routes[k][i]} {
			if silently {
				p.hush(parted)
			} else {
				p.sever(parted)
			}
		}
	}
}

// watchResults tells how many results have been written, over a connection of its own.
type watchResults struct {
	mu    sync.Mutex
	more  *sync.Cond
	count int
}

func (c *town) watchResults(cl *Cluster) *watchResults {
	w := &watchResults{}
	w.more = sync.NewCond(&w.mu)
	sub, err := cl.conn.Subscribe("$KV."+resultsBucket+".>", func(*nats.Msg) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.count++
		w.more.Broadcast()
	})
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = sub.Unsubscribe() })
	return w
}

// wait waits until some more results have been written, or the coordinator has ended.
func (w *watchResults) wait(n int, ended <-chan struct{}) {
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-ended:
		case <-time.After(chaosPatience):
		case <-stop:
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.count += 1 << 30
		w.more.Broadcast()
	}()
	w.mu.Lock()
	defer w.mu.Unlock()
	for until := w.count + n; w.count < until; {
		w.more.Wait()
	}
}

// leader finds the server that leads the queue of work.
func (c *town) leader(cl *Cluster) int {
	ctx, end := context.WithTimeout(context.Background(), chaosPatience)
	defer end()
	for ctx.Err() == nil {
		var name string
		_ = again(ctx, func(ctx context.Context) error {
			info, err := cl.work.Info(ctx)
			if err == nil && info.Cluster != nil {
				name = info.Cluster.Leader
			}
			return err
		})
		for i := range c.servers {
			if name == fmt.Sprint("s", i) {
				return i
			}
		}
	}
	return 0
}

// settled waits until all servers have what the leader has, but not for long: faults may come in between.
func (c *town) settled(cl *Cluster) {
	ctx, end := context.WithTimeout(context.Background(), 15*time.Second)
	defer end()
	for ctx.Err() == nil {
		info, err := cl.work.Info(ctx)
		if err == nil && info.Cluster != nil && info.Cluster.Leader != "" && len(info.Cluster.Replicas) == 2 &&
			!slices.ContainsFunc(info.Cluster.Replicas, func(p *jetstream.PeerInfo) bool { return !p.Current || p.Offline }) {
			return
		}
		pause(ctx, 20*time.Millisecond)
	}
}

// TestChaos has three servers and several workers, each a process, and kills, cuts off and stops them while they play.
// The bytes are those of one process.
func TestChaos(t *testing.T) {
	c := newTown(t)
	cl, err := Connect(t.Context(), Options{URL: c.direct(), Lease: chaosLease, Wait: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cl.Close)
	if info, err := cl.work.Info(t.Context()); err != nil || info.Config.Replicas != 3 {
		t.Fatal("the queue is not on three servers:", info, err)
	}
	for range *chaosWorkers {
		c.workers = append(c.workers, c.start("worker", c.behind()))
	}
	results := c.watchResults(cl)
	if *chaosFor == 0 {
		c.sweep(cl, results, "once", "encounters duel.encounter\ntry Alia.strength = 10, 14\nfights 4000\nseed 3", 50, c.eachFault)
		return
	}
	until := time.Now().Add(*chaosFor)
	random := rand.New(rand.NewPCG(*chaosSeed, 5))
	for n := 0; time.Now().Before(until); n++ {
		lines := fmt.Sprintf("encounters duel.encounter, other.encounter\ntry Alia.strength = 10, 14, 18\nfights 12000\nseed %d", n)
		if n%2 == 1 {
			lines = fmt.Sprintf("encounters duel.encounter, other.encounter\nfights 30000\nuntil 1.2%%\nseed %d", n)
		}
		step := uint64(250)
		if n%2 == 1 {
			step = 1000
		}
		faults := 0
		c.sweep(cl, results, fmt.Sprint("n", n), lines, step, func(cl *Cluster, results *watchResults) {
			for !c.coordinatorEnded() && time.Now().Before(until) {
				c.randomFault(cl, results, random)
				faults++
			}
		})
		t.Logf("sweep %d: %d faults, %s left", n, faults, time.Until(until).Round(time.Second))
	}
}

// sweep runs a sweep while something happens, and compares its bytes.
func (c *town) sweep(cl *Cluster, results *watchResults, id, lines string, step uint64, faults func(*Cluster, *watchResults)) {
	jobs, files := example(c, lines, step)
	s := begin(c, cl, id, jobs, files)
	c.coordinator = c.start("coordinator", c.behind(), id)
	faults(cl, results)
	for {
		ended := c.coordinator
		select {
		case <-ended.done:
		case <-time.After(chaosPatience + *chaosFor):
			c.Fatal("the sweep does not end")
		}
		if ended.err == nil {
			break
		}
		c.Log("a coordinator has ended with", ended.err) // as one that gives up would be started again
		c.coordinator = c.restart(ended)
	}
	s, err := cl.Load(context.Background(), id)
	if err != nil || s.State != Done {
		c.Fatal(s, err)
	}
	compareSums(c, sums(c, s), want(c, jobs, files))
	if err := cl.Remove(context.Background(), id); err != nil {
		c.Fatal(err)
	}
}

func (c *town) coordinatorEnded() bool {
	select {
	case <-c.coordinator.done:
		return c.coordinator.err == nil
	default:
		return false
	}
}

// eachFault lets each kind of fault happen once, each after some results have come.
func (c *town) eachFault(cl *Cluster, results *watchResults) {
	next := func() { results.wait(6, c.coordinator.done) }
	next()
	c.workers[0].kill() // with what it was playing
	next()
	c.coordinator.kill()
	c.coordinator = c.restart(c.coordinator)
	next()
	for _, p := range c.proxies { // nobody reaches a server, and work goes on where it was
		p.sever(true)
	}
	c.workers[1].kill()
	c.workers[0], c.workers[1] = c.restart(c.workers[0]), c.restart(c.workers[1])
	for _, p := range c.proxies {
		p.sever(false)
	}
	next()
	i := c.leader(cl)
	c.servers[i].kill()
	next()
	c.servers[i] = c.restart(c.servers[i])
	next()
}

// randomFault lets something happen, and waits a little.
func (c *town) randomFault(cl *Cluster, results *watchResults, random *rand.Rand) {
	switch k := random.IntN(11); k {
	case 0, 1:
		i := random.IntN(len(c.workers))
		c.Log("a worker is killed")
		c.workers[i].kill()
		c.workers[i] = c.restart(c.workers[i])
	case 2:
		c.Log("the coordinator is killed")
		c.coordinator.kill()
		if c.coordinator.err != nil {
			c.coordinator = c.restart(c.coordinator)
		}
	case 3:
		i := c.leader(cl)
		c.Log("the leader is killed")
		c.servers[i].kill()
		results.waitTime(time.Duration(random.IntN(4)) * time.Second)
		c.servers[i] = c.restart(c.servers[i])
		c.settled(cl)
	case 4:
		i := random.IntN(3)
		c.Log("a server is cut off from clients")
		c.proxies[i].sever(true)
		results.waitTime(time.Duration(random.IntN(8)) * time.Second)
		c.proxies[i].sever(false)
	case 5:
		c.Log("all servers are cut off from clients")
		for _, p := range c.proxies {
			p.sever(true)
		}
		results.waitTime(time.Duration(random.IntN(6)) * time.Second)
		for _, p := range c.proxies {
			p.sever(false)
		}
	case 6:
		i := random.IntN(len(c.workers))
		c.Log("a worker stands still")
		stopProcess(c.workers[i].cmd.Process)
		results.waitTime(time.Duration(random.IntN(6)) * time.Second)
		continueProcess(c.workers[i].cmd.Process)
	case 7, 8:
		i, silently := random.IntN(3), random.IntN(2) == 0
		if random.IntN(2) == 0 {
			i = c.leader(cl)
		}
		c.Logf("a server is cut off from the others, silently: %t", silently)
		c.part(i, silently, true)
		results.waitTime(time.Duration(random.IntN(25)) * time.Second)
		c.part(i, silently, false)
		c.settled(cl)
	case 9:
		i := random.IntN(3)
		c.Log("nothing passes between clients and a server")
		c.proxies[i].hush(true)
		results.waitTime(time.Duration(random.IntN(20)) * time.Second)
		c.proxies[i].hush(false)
	case 10:
		if *chaosDisk == "" {
			return
		}
		c.Log("a disk is full")
		path := filepath.Join(*chaosDisk, "filler")
		if f, err := os.Create(path); err == nil {
			w := bufio.NewWriterSize(f, 1<<20)
			for err == nil {
				_, err = w.Write(make([]byte, 1<<20))
			}
			f.Close()
		}
		results.waitTime(time.Duration(2+random.IntN(6)) * time.Second)
		os.Remove(path)
		c.servers[2].kill() // as an administrator would, who has made room
		c.servers[2] = c.restart(c.servers[2])
		c.settled(cl)
	}
	results.waitTime(time.Duration(random.IntN(3000)) * time.Millisecond)
}

// waitTime lets time pass, where faults are to last a while.
func (w *watchResults) waitTime(d time.Duration) { time.Sleep(d) }

// TestRoles has the messages of the test's own processes as others read them.
func TestRoles(t *testing.T) {
	o := order{Version: piece.Version, Program: testProgram, Sweep: "aa", Index: 3, Job: "j", Files: "f", Piece: piece.Piece{Block: 1, From: 20, Count: 10}, Lease: time.Second}
	var back order
	if err := json.Unmarshal(o.encode(), &back); err != nil || back != o {
		t.Error(back, err)
	}
	if want := "arbiter.work.0123456789abcdef.aa.3." + o.id(); o.subject() != want {
		t.Errorf("%s, want %s", o.subject(), want)
	}
	if want := "aa.3." + o.id(); o.key() != want {
		t.Errorf("%s, want %s", o.key(), want)
	}
}
