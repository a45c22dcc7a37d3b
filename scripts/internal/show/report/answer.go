package report

import (
	"fmt"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
)

// noRanks stands in place of the ranks of a quick run.
const noRanks = "quick run: no ranks"

// rankings are the tables that rank servers, with a sentence each. They are empty without ranks and in a
// quick run.
func rankings(records []record.Record) (sentences []string, tables []table) {
	if records[0].Run.Quick {
		return append([]string{noRanks + ", because the load was too short to compare servers."}, remarks(records)...), nil
	}
	for _, of := range []struct {
		ranking func([]record.Record) (table, rank.Ranking)
		what    string
	}{{costRanking, "Cost"}, {throughputRanking, "Throughput"}} {
		t, r := of.ranking(records)
		if r.HasRanks() {
			tables = append(tables, t)
			sentences = append(sentences, r.Sentence())
		} else if r.Why != "" {
			sentences = append(sentences, fmt.Sprintf("%s is not ranked: %s.", of.what, r.Why))
		}
	}
	return append(sentences, remarks(records)...), tables
}

// remarks count the records with a warning or no figures.
func remarks(records []record.Record) (sentences []string) {
	if n := len(record.Filter(records, func(r record.Record) bool { return r.Status != record.OK })); n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s %d of %d records have a warning or are invalid; the reasons stand below the tables.", mark, n, len(records)))
	}
	return sentences
}

// tables returns the tables of all scenarios.
func tables(records []record.Record) []table {
	var all []table
	for _, scenario := range record.Scenarios(records) {
		all = append(all, scenarioTable(records, scenario))
	}
	return all
}
