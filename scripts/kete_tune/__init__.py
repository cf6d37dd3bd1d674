"""What the tuning scripts share: SPSA, matches by kete-match, records that survive a kill."""
