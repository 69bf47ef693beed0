package main

import (
	"bytes"
	"flag"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.yaml.in/yaml/v3"
)

// This file holds that what spec/cluster.md gives for running a sweep on several machines can be carried out, as far as
// its text tells.

// plainFences are blocks of a page without a language.
var plainFences = regexp.MustCompile("(?ms)^```\n(.*?)^```$")

// blockOfPage returns the block of spec/cluster.md that begins so.
func blockOfPage(t *testing.T, begins string) string {
	t.Helper()
	page, err := os.ReadFile("../../spec/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range plainFences.FindAllStringSubmatch(string(page), -1) {
		if strings.HasPrefix(m[1], begins) {
			return m[1]
		}
	}
	t.Fatalf("no block begins with %s", begins)
	return ""
}

// checkArbiter wants a command line to be one of ours, with flags that are good together, and returns its server.
func checkArbiter(t *testing.T, args []string) (nats string) {
	t.Helper()
	c, rest, err := (&app{}).rootCommand().Find(args)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil {
		t.Fatalf("arbiter %s: %v", strings.Join(args, " "), err)
	}
	text := func(name string) string {
		if f := c.Flags().Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	n := natsFlags{verify: text("verify"), metrics: text("metrics")}
	n.URL, n.Creds = text("nats"), text("nats-creds")
	if err := n.check(); err != nil {
		t.Fatalf("arbiter %s: %v", strings.Join(args, " "), err)
	}
	if n.metrics != "" {
		if _, _, err := net.SplitHostPort(n.metrics); err != nil {
			t.Fatalf("arbiter %s: %v", strings.Join(args, " "), err)
		}
	}
	return n.URL
}

// checkServer wants a command line to be one of nats-server, and returns what it asks for.
func checkServer(t *testing.T, args []string) *server.Options {
	t.Helper()
	none := func() { t.Fatal("it only prints something") }
	flags := flag.NewFlagSet("nats-server", flag.ContinueOnError)
	o, err := server.ConfigureOptions(flags, args, none, none, none)
	if err != nil || o == nil {
		t.Fatalf("nats-server %s: %v", strings.Join(args, " "), err)
	}
	if !o.JetStream || o.StoreDir == "" || o.Authorization == "" {
		t.Errorf("nats-server %s: it keeps nothing on a disk, or lets everybody in", strings.Join(args, " "))
	}
	return o
}

// hosts are those of addresses that are separated by commas.
func hosts(t *testing.T, addresses string) (list []string) {
	t.Helper()
	for _, text := range strings.Split(addresses, ",") {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" {
			t.Fatalf("%q is no address: %v", text, err)
		}
		list = append(list, u.Host)
	}
	return list
}

func TestHandOfMachines(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(blockOfPage(t, "nats-server ")), "\n") {
		switch name, args := strings.Fields(line)[0], strings.Fields(line)[1:]; name {
		case "nats-server":
			checkServer(t, args)
		case "arbiter":
			if got := hosts(t, checkArbiter(t, args)); got[0] != "10.0.0.5:4222" {
				t.Error(got)
			}
		default:
			t.Error(line)
		}
	}
}

// unitKeys are the settings that the unit has, each in its section, as systemd's manual lists them.
var unitKeys = map[string]string{
	"Description": "Unit", "After": "Unit", "Wants": "Unit", "WantedBy": "Install",
	"ExecStart": "Service", "LoadCredential": "Service", "DynamicUser": "Service", "ProtectSystem": "Service", "ProtectHome": "Service", "PrivateTmp": "Service",
	"NoNewPrivileges": "Service", "MemoryMax": "Service", "Nice": "Service", "Restart": "Service", "RestartSec": "Service",
}

func TestUnit(t *testing.T) {
	section, values := "", map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(blockOfPage(t, "[Unit]")), "\n") {
		key, value, isSetting := strings.Cut(line, "=")
		switch {
		case line == "":
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = strings.Trim(line, "[]")
		case !isSetting || unitKeys[key] != section:
			t.Errorf("[%s] has %q", section, line)
		default:
			values[key] = value
		}
	}
	name, path, _ := strings.Cut(values["LoadCredential"], ":")
	args := strings.Fields(values["ExecStart"])
	if args[0] != "/usr/local/bin/arbiter" || !slices.Contains(args, "${CREDENTIALS_DIRECTORY}/"+name) || !strings.HasPrefix(path, "/") {
		t.Error(values)
	}
	checkArbiter(t, args[1:])
}

func TestCompose(t *testing.T) {
	var file struct {
		Services map[string]struct {
			Image, Command, Restart string
			Grace                   string `yaml:"stop_grace_period"`
			Volumes                 []string
		}
		Volumes map[string]any
	}
	d := yaml.NewDecoder(bytes.NewReader([]byte(strings.ReplaceAll(blockOfPage(t, "services:"), "$TOKEN", "token"))))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	names, used := map[string]bool{}, map[string]bool{}
	var servers, workers int
	for service, x := range file.Services {
		args := strings.Fields(x.Command)
		if x.Image == "arbiter" {
			workers++
			if got := hosts(t, checkArbiter(t, args)); !slices.Equal(got, []string{"nats1:4222", "nats2:4222", "nats3:4222"}) {
				t.Error(service, got)
			}
			if _, err := time.ParseDuration(x.Grace); err != nil {
				t.Error(err)
			}
			continue
		}
		servers++
		o := checkServer(t, args)
		names[o.ServerName] = true
		for _, u := range o.Routes {
			if _, known := file.Services[u.Hostname()]; !known || u.Port() != "6222" {
				t.Errorf("%s: there is no %s", service, u.Host)
			}
		}
		volume, at, _ := strings.Cut(x.Volumes[0], ":")
		if _, known := file.Volumes[volume]; !known || used[volume] || at != o.StoreDir || len(x.Volumes) != 1 {
			t.Errorf("%s keeps things in %q", service, x.Volumes)
		}
		used[volume] = true
		if o.Cluster.Name == "" || o.Cluster.Port != 6222 || len(o.Routes) != 3 || !strings.HasPrefix(x.Image, "nats:") {
			t.Errorf("%s: %+v", service, o.Cluster)
		}
	}
	if servers != 3 || len(names) != 3 || workers != 1 {
		t.Errorf("%d servers called %v, %d workers", servers, names, workers)
	}
}

func TestManifest(t *testing.T) {
	type quantities struct{ CPU, Memory string }
	type meta struct {
		Name   string
		Labels map[string]string
	}
	var m struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   meta
		Spec       struct {
			Replicas int
			Selector struct {
				Labels map[string]string `yaml:"matchLabels"`
			}
			Template struct {
				Metadata meta
				Spec     struct {
					Grace      int  `yaml:"terminationGracePeriodSeconds"`
					Token      bool `yaml:"automountServiceAccountToken"`
					Containers []struct {
						Name, Image string
						Args        []string
						Ports       []struct {
							Name string
							Port int `yaml:"containerPort"`
						}
						Resources struct{ Requests, Limits quantities }
						Security  struct {
							NonRoot    bool                    `yaml:"runAsNonRoot"`
							User       int                     `yaml:"runAsUser"`
							ReadOnly   bool                    `yaml:"readOnlyRootFilesystem"`
							Escalation bool                    `yaml:"allowPrivilegeEscalation"`
							Caps       struct{ Drop []string } `yaml:"capabilities"`
						} `yaml:"securityContext"`
						Mounts []struct {
							Name     string
							Path     string `yaml:"mountPath"`
							ReadOnly bool   `yaml:"readOnly"`
						} `yaml:"volumeMounts"`
					}
					Volumes []struct {
						Name   string
						Secret struct {
							Name string `yaml:"secretName"`
						}
					}
				}
			}
		}
	}
	d := yaml.NewDecoder(bytes.NewReader([]byte(blockOfPage(t, "apiVersion:"))))
	d.KnownFields(true)
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	pod := m.Spec.Template.Spec
	if m.APIVersion != "apps/v1" || m.Kind != "Deployment" || m.Spec.Selector.Labels["app"] == "" || m.Spec.Selector.Labels["app"] != m.Spec.Template.Metadata.Labels["app"] || len(pod.Containers) != 1 {
		t.Fatalf("%+v", m)
	}
	c := pod.Containers[0]
	if got := hosts(t, checkArbiter(t, c.Args)); got[0] != "nats:4222" {
		t.Error(got)
	}
	if !slices.Contains(c.Args, ":9101") || c.Ports[0].Port != 9101 {
		t.Error("the port of the metrics is not the one that is named")
	}
	if len(c.Mounts) != 1 || len(pod.Volumes) != 1 || c.Mounts[0].Name != pod.Volumes[0].Name || !slices.ContainsFunc(c.Args, func(a string) bool { return strings.HasPrefix(a, c.Mounts[0].Path+"/") }) {
		t.Error("the credentials are not where the worker looks for them")
	}
	if s := c.Security; !s.NonRoot || s.User == 0 || !s.ReadOnly || s.Escalation || pod.Token || !slices.Equal(s.Caps.Drop, []string{"ALL"}) {
		t.Errorf("more is allowed than is needed: %+v", s)
	}
}
