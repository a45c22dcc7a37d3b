package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// chart stands in for github-action-benchmark in its mode with an external file, as documented. It compares
// with the newest entry of another commit, adds an entry, and comments on the commit when a series is worse
// by more than the threshold. It is stricter on purpose. A value that cannot be parsed is an error, where the
// action makes it 0. So is a value of 0 or less, since its ratio means nothing.
func chart() error {
	var points []point
	if err := readJSON(input("output-file-path"), &points); err != nil {
		return err
	}
	if len(points) == 0 {
		return errors.New("no benchmark result was found")
	}
	for _, p := range points {
		if p.Name == "" || p.Unit == "" || p.Value == nil || !(*p.Value > 0) {
			return fmt.Errorf("%+v: want a name, a unit and a value above 0", p)
		}
	}
	data := charts{Entries: map[string][]entry{}}
	if err := readJSON(input("external-data-json-path"), &data); err != nil && !os.IsNotExist(err) {
		return err
	}
	now, err := commitOfEvent()
	if err != nil {
		return err
	}
	suite := input("name")
	var before *entry
	for i := range data.Entries[suite] {
		if e := &data.Entries[suite][i]; e.Commit.ID != now.ID {
			before = e
		}
	}
	data.LastUpdate = time.Now().UnixMilli()
	data.RepoURL = "https://github.com/" + os.Getenv("GITHUB_REPOSITORY")
	current := entry{Commit: now, Date: data.LastUpdate, Tool: input("tool"), Benches: points}
	var alerts, table string
	if before != nil {
		alerts, table = alarming(before.Benches, points, input("tool"))
	}
	data.Entries[suite] = append(data.Entries[suite], current)
	text, _ := json.MarshalIndent(data, "", "  ")
	if err := os.WriteFile(input("external-data-json-path"), text, 0o644); err != nil {
		return err
	}
	if before == nil {
		return nil
	}
	if input("summary-always") == "true" {
		if err := tell("GITHUB_STEP_SUMMARY", "# "+suite+"\n"+table); err != nil {
			return err
		}
	}
	if alerts != "" && input("comment-on-alert") == "true" {
		body := fmt.Sprintf("# :warning: **Performance Alert** :warning:\n\nPossible performance regression was detected for benchmark **'%s'**.\n%s", suite, alerts)
		if err := github("POST", "/commits/"+now.ID+"/comments", map[string]string{"body": body}, nil); err != nil {
			return err
		}
	}
	if alerts != "" && input("fail-on-alert") == "true" {
		return errors.New(alerts)
	}
	return nil
}

// The form of the external data.
type charts struct {
	LastUpdate int64              `json:"lastUpdate"`
	RepoURL    string             `json:"repoUrl"`
	Entries    map[string][]entry `json:"entries"`
}

type entry struct {
	Commit  chartCommit `json:"commit"`
	Date    int64       `json:"date"`
	Tool    string      `json:"tool"`
	Benches []point     `json:"benches"`
}

type chartCommit struct {
	ID        string `json:"id"`
	Message   string `json:"message"`
	Timestamp string `json:"timestamp"`
	URL       string `json:"url"`
	Author    any    `json:"author,omitempty"`
	Committer any    `json:"committer,omitempty"`
}

type point struct {
	Name  string   `json:"name"`
	Unit  string   `json:"unit"`
	Value *float64 `json:"value"`
	Range string   `json:"range,omitempty"`
	Extra string   `json:"extra,omitempty"`
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}

// commitOfEvent is the commit that the event carries, or else the one of ref.
func commitOfEvent() (chartCommit, error) {
	var event struct {
		Head *chartCommit `json:"head_commit"`
	}
	if err := readJSON(os.Getenv("GITHUB_EVENT_PATH"), &event); err != nil {
		return chartCommit{}, err
	}
	if event.Head != nil {
		return *event.Head, nil
	}
	var found struct {
		SHA    string
		URL    string `json:"html_url"`
		Commit struct {
			Message string
			Author  struct{ Date string }
		}
	}
	err := github("GET", "/commits/"+input("ref"), nil, &found)
	return chartCommit{ID: found.SHA, Message: found.Commit.Message, Timestamp: found.Commit.Author.Date, URL: found.URL}, err
}

// alarming makes table rows of points in both entries, and of those that are worse.
func alarming(before, now []point, tool string) (alerts, table string) {
	percent, _ := strconv.ParseFloat(strings.TrimSuffix(input("alert-threshold"), "%"), 64) // else 0, which the test does not want
	for _, p := range now {
		for _, q := range before {
			if q.Name != p.Name {
				continue
			}
			ratio := *p.Value / *q.Value
			if tool == "customBiggerIsBetter" {
				ratio = *q.Value / *p.Value
			}
			row := fmt.Sprintf("| `%s` | `%g` %s | `%g` %s | `%.2f` |\n", p.Name, *p.Value, p.Unit, *q.Value, q.Unit, ratio)
			table += row
			if ratio > percent/100 {
				alerts += row
			}
			break
		}
	}
	return alerts, table
}

// github calls the fake API.
func github(method, path string, body, answer any) error {
	data, _ := json.Marshal(body)
	req, err := http.NewRequest(method, os.Getenv("GITHUB_API_URL")+"/repos/"+os.Getenv("GITHUB_REPOSITORY")+path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+input("github-token"))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, res.Status, text)
	}
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(text, answer)
}
