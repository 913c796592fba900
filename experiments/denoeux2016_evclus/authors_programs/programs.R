# Times functions of the R package evclust. Usage: Rscript programs.R FOLDER
#
# FOLDER holds X.csv, the attributes, and tasks.csv, one row per call. Written are runs.csv (processor seconds
# of each call, and by how much memory rose at its peak) and labels.csv, one column per call, 0 where a
# function gave nothing. The package is the installed one, or the source in the folder that the environment
# variable CREDALBENCH_R_EVCLUST names. Exit code 3: it is missing, or something that it needs.

MISSING <- 3
use_source <- function(folder) {
  for (needed in c("FNN", "R.utils", "limSolve")) library(needed, character.only = TRUE)
  files <- list.files(file.path(folder, "R"), pattern = "[.]R$", full.names = TRUE)
  if (length(files) == 0) stop("expected a folder R with sources in ", folder)
  for (file in files) source(file)
  unname(read.dcf(file.path(folder, "DESCRIPTION"), "Version")[1])
}
use_installed <- function() {
  library(evclust)
  as.character(packageVersion("evclust"))
}
give_up <- function(why) {
  message(conditionMessage(why))
  quit(status = MISSING)
}

evclust_version <- tryCatch(suppressWarnings(suppressMessages({
  from <- Sys.getenv("CREDALBENCH_R_EVCLUST")
  if (nzchar(from)) use_source(from) else use_installed()
})), error = give_up)

folder <- commandArgs(TRUE)[1]
X <- as.matrix(read.csv(file.path(folder, "X.csv"), header = FALSE))
tasks <- read.csv(file.path(folder, "tasks.csv"))
n <- nrow(X)
needs_matrix <- tasks$method == "recm" | tasks$from_matrix == 1
D <- if (any(needs_matrix)) as.matrix(dist(X)) else NULL

call_of <- list(
  recm = function(t) {
    D2 <- D^2
    function() recm(D2, t$n_clusters, type = "simple", alpha = t$alpha, beta = t$beta, delta = t$delta,
                    epsi = t$tol, disp = FALSE)
  },
  kevclus = function(t) {
    given <- if (t$from_matrix == 1) list(D = D) else list(x = X)
    settings <- list(k = t$k, c = t$n_clusters, d0 = t$d0, epsi = t$tol, disp = FALSE)
    function() do.call(kevclus, c(given, settings))
  },
  eknnclus = function(t) {
    y0 <- match(drawn <- sample.int(t$initial_labels, n, replace = TRUE), unique(drawn))
    x <- if (t$from_matrix == 1) NULL else X
    function() EkNNclus(x, D, K = t$n_neighbors, y0 = y0, q = t$q, disp = FALSE)
  }
)

labels <- matrix(0L, n, nrow(tasks))
seconds <- peak <- numeric(nrow(tasks))
for (i in seq_len(nrow(tasks))) {
  set.seed(tasks$seed[i])
  call <- call_of[[tasks$method[i]]](tasks[i, ])
  before <- sum(gc(reset = TRUE)[, 2])
  clock <- system.time(capture.output(found <- call()))
  seconds[i] <- clock[["user.self"]] + clock[["sys.self"]]
  peak[i] <- (sum(gc()[, 6]) - before) * 2^20
  if (!is.null(found)) labels[, i] <- found$y.pl
}

blas <- basename(extSoftVersion()[["BLAS"]])
version <- sprintf("R %s, evclust %s, limSolve %s, %s", getRversion(), evclust_version,
                   packageVersion("limSolve"), blas)
runs <- data.frame(method = tasks$method, time_s = seconds, peak_bytes = peak, version = version)
write.csv(runs, file.path(folder, "runs.csv"), row.names = FALSE)
write.csv(labels, file.path(folder, "labels.csv"), row.names = FALSE)
