# Runs bootclus of the R package evclust. Usage: Rscript bootclus.R FOLDER
#
# FOLDER holds X.csv, the attributes, and tasks.csv, one row per call: the numbers of clusters that BIC chooses
# among, from `low` to `high`, `n_bootstrap` and `seed`. Written are runs.csv and labels.csv, one column per
# call, the clusters of largest pignistic probability; 0 where bootclus stopped. A number that an earlier call
# has chosen, with the same seed, gives the same result and is not run again. Exit code 3: a package is missing.

give_up <- function(why) {
  message(conditionMessage(why))
  quit(status = 3)
}
tryCatch(suppressWarnings(suppressMessages({
  library(mclust)
  library(evclust)
})), error = give_up)

folder <- commandArgs(TRUE)[1]
X <- as.matrix(read.csv(file.path(folder, "X.csv"), header = FALSE))
tasks <- read.csv(file.path(folder, "tasks.csv"))
version <- sprintf("R %s, mclust %s, evclust %s", getRversion(), packageVersion("mclust"),
                   packageVersion("evclust"))

labels <- matrix(0L, nrow(X), nrow(tasks))
runs <- data.frame(c = tasks$high, status = "failed", reason = "", bic = NA, model = "", time_s = 0,
                   version = rep(version, nrow(tasks)))
for (i in seq_len(nrow(tasks))) {
  task <- tasks[i, ]
  same <- which(runs$status[seq_len(i - 1)] == "ok" & tasks$seed[seq_len(i - 1)] == task$seed &
                runs$c[seq_len(i - 1)] == task$low & task$low == task$high)
  if (length(same) > 0) {
    runs[i, ] <- runs[same[1], ]
    labels[, i] <- labels[, same[1]]
    next
  }
  set.seed(task$seed)
  numbers <- list(G = task$low:task$high, verbose = FALSE)
  clock <- system.time(capture.output(found <- tryCatch(
    suppressWarnings(bootclus(X, B = task$n_bootstrap, param = numbers)), error = identity)))
  runs$time_s[i] <- clock[["user.self"]] + clock[["sys.self"]]
  if (inherits(found, "error")) {
    runs$reason[i] <- conditionMessage(found)
    next
  }
  runs[i, c("c", "bic", "model")] <- list(found$clus$G, found$clus$bic / 2, found$clus$modelName)
  runs$status[i] <- "ok"
  labels[, i] <- max.col(found$Clus$betp, ties.method = "first")
}
write.csv(runs, file.path(folder, "runs.csv"), row.names = FALSE)
write.csv(labels, file.path(folder, "labels.csv"), row.names = FALSE)
