package report

import (
	"fmt"

	"fairstream/scripts/internal/judge/rank"
	"fairstream/scripts/internal/judge/record"
)

// rankings are the tables that answer which server to take, with the sentences
// that say it; empty when nothing was ranked.
func rankings(records []record.Record) (sentences []string, tables []table) {
	for _, of := range []struct {
		ranking func([]record.Record) (table, rank.Ranking)
		what    string
	}{{costRanking, "Cost"}, {throughputRanking, "Throughput"}} {
		t, r := of.ranking(records)
		if r.Is() {
			tables = append(tables, t)
			sentences = append(sentences, r.Sentence())
		} else if r.Why != "" {
			sentences = append(sentences, fmt.Sprintf("%s is not ranked: %s.", of.what, r.Why))
		}
	}
	if n := len(record.Only(records, func(r record.Record) bool { return r.Status != record.OK })); n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s %d of %d records are warned or invalid; the reasons stand below the tables.", mark, n, len(records)))
	}
	return sentences, tables
}

// tables are those of all scenarios.
func tables(records []record.Record) []table {
	var all []table
	for _, scenario := range record.Scenarios(records) {
		all = append(all, scenarioTable(records, scenario))
	}
	return all
}
